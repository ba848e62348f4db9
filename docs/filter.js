// A field above the tables of a page, which hides the rows that do not have all its words.
document.addEventListener("DOMContentLoaded", () => {
  const place = document.querySelector("[data-filter]");
  if (place === null) return;
  const rows = [...document.querySelectorAll("article tbody tr")];
  const field = document.createElement("input");
  const told = document.createElement("output");
  field.type = "search";
  field.placeholder = place.dataset.filter;
  field.setAttribute("aria-label", place.dataset.filter);
  field.addEventListener("input", () => {
    const words = field.value.toLowerCase().split(/\s+/);
    for (const row of rows) {
      const text = row.textContent.toLowerCase();
      row.hidden = !words.every((word) => text.includes(word));
    }
    told.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length}`;
  });
  place.append(field, told);
});
