// What this browser gives to the deals of a match: random bytes, drawn after the server has committed itself to its secret.
const KEY = "draws";
const MOST = 100;
const PATIENCE = 3000;

export const hex = (bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

// What this browser gave, by the commitment it answered; the replay compares it.
export const given = () => JSON.parse(localStorage.getItem(KEY) ?? "{}");

function remember({ commitment, contribution }) {
  const all = Object.entries({ ...given(), [commitment]: contribution });
  localStorage.setItem(KEY, JSON.stringify(Object.fromEntries(all.slice(-MOST))));
}

// Both fields of a contribution; none if the server cannot be reached, which then notes that it has drawn alone.
export async function contribution(formKey) {
  const answer = await fetch("/api/draws", {
    method: "POST",
    credentials: "same-origin",
    headers: { "Content-Type": "application/json", "X-Form-Key": formKey },
    body: "{}",
    signal: AbortSignal.timeout(PATIENCE),
  }).catch(() => null);
  if (!answer?.ok) return {};
  const { commitment } = await answer.json();
  const fresh = { commitment, contribution: hex(crypto.getRandomValues(new Uint8Array(32))) };
  remember(fresh);
  return fresh;
}

// Forms that open a match wait for the commitment, then go on their way with two more fields.
async function onSubmit(event) {
  const form = event.target.closest("form[data-contribute]");
  if (!form || form.dataset.contribute === "ready") return;
  event.preventDefault();
  if (form.dataset.contribute === "asking") return;
  form.dataset.contribute = "asking";
  const { submitter } = event;
  for (const [name, value] of Object.entries(await contribution(form.elements.form_key.value))) {
    const field = document.createElement("input");
    Object.assign(field, { type: "hidden", name, value, className: "contribution" });
    form.append(field);
  }
  form.dataset.contribute = "ready";
  form.requestSubmit(submitter);
}

// A page that the browser shows again, as after "back", begins anew: a contribution serves once.
function beginAnew() {
  for (const field of document.querySelectorAll("input.contribution")) field.remove();
  for (const form of document.querySelectorAll("form[data-contribute]")) form.dataset.contribute = "";
}

document.addEventListener("submit", onSubmit);
window.addEventListener("pageshow", beginAnew);
