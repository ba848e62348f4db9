/* The search runs in a worker, and browsers start none for pages that are read from files.
   There this one takes its place: the same script, in a frame that is not shown. */
if (location.protocol === "file:") {
  window.IFrameWorker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.documentElement.append(frame);
      const inside = frame.contentWindow;
      inside.postMessage = (data) =>
        this.dispatchEvent(new MessageEvent("message", { data }));
      const script = frame.contentDocument.createElement("script");
      script.src = url;
      script.onload = () => {
        this.inside = inside;
        this.waiting.forEach((data) => this.postMessage(data));
      };
      frame.contentDocument.body.append(script);
    }

    postMessage(data) {
      if (this.inside) {
        const kind = this.inside.MessageEvent;
        this.inside.dispatchEvent(new kind("message", { data }));
      } else {
        this.waiting.push(data);
      }
    }

    terminate() {}
  };
  window.Worker = window.IFrameWorker;
}
