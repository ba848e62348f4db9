# ruff: noqa
# fmt: off
# What was read of opendp_lite.data.lines; written by `opendp-lite proofs
# accept`, never by hand, and never run.



# === text_lines
def text_lines(text: str) -> list[str]:
    *ended, last = text.split("\n")
    lines = [line[:-1] if line.endswith("\r") else line for line in ended]
    return [*lines, last] if last else lines
