// The line to the server: positions come in by number, answers go out with the number they answer.
import { setup } from "./words.js";

const BASE = `/api/matches/${setup.match}`;

export class Refusal extends Error {
  constructor(status, body) {
    super(body.message ?? String(status));
    this.status = status;
    this.error = body.error;
  }
}

async function ask(path, options = {}) {
  const answer = await fetch(path, { credentials: "same-origin", ...options });
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Refusal(answer.status, body);
  return body;
}

export const get = (path) => ask(`${BASE}${path}`);

export const post = (path, body = {}) => ask(path.startsWith("/") ? `${BASE}${path}` : `/api/${path}`, {
  method: "POST",
  headers: { "Content-Type": "application/json", "X-Form-Key": setup.form_key },
  body: JSON.stringify(body),
});

// Listens until the match is over; after a dropped line it goes on where it was. A tab that nobody looks at
// hangs up: browsers open few lines to one server, and they are for the tabs in use.
export function listen(after, onFrame, onState, path = "/events") {
  let last = after;
  let over = false;
  let source = null;
  const close = () => { source?.close(); source = null; };
  const open = () => {
    if (source || over || document.hidden) return;
    source = new EventSource(`${BASE}${path}?after=${last}`);
    source.onopen = () => onState("open");
    source.onmessage = (message) => {
      const frame = JSON.parse(message.data);
      last = Math.max(last, frame.number);
      onFrame(frame);
    };
    source.addEventListener("preparing", (message) => onState("preparing", JSON.parse(message.data)));
    source.addEventListener("phrase", (message) => onState("phrase", JSON.parse(message.data)));
    source.addEventListener("watchers", (message) => onState("watchers", JSON.parse(message.data)));
    source.addEventListener("over", () => { over = true; close(); });
    source.addEventListener("closed", () => { over = true; close(); onState("closed"); });
    source.addEventListener("gone", () => location.reload()); // the page says why
    source.addEventListener("crowded", () => { over = true; close(); onState("crowded"); });
    source.onerror = () => {
      if (over) return;
      onState("lost");
      // A refused or ended stream is not tried again by the browser itself.
      if (source?.readyState === EventSource.CLOSED) {
        close();
        setTimeout(open, 1500);
      }
    };
  };
  document.addEventListener("visibilitychange", () => (document.hidden ? close() : open()));
  open();
}
