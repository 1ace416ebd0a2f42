// Waiting for somebody: the link to send, and the table as soon as they sit down.
import { $ } from "./dom.js";
import { setup, t } from "./words.js";

const PATIENCE = 1500;

async function look() {
  const answer = await fetch(`/api/invitations/${setup.match}`, { credentials: "same-origin" }).catch(() => null);
  const found = answer?.ok ? await answer.json() : { begun: false };
  if (answer?.status === 404) $("notice").textContent = t("people.cancelled");
  else if (found.begun) location.assign(`/table/${setup.match}`);
  else setTimeout(look, PATIENCE);
}

for (const link of document.querySelectorAll("input.link")) {
  link.value = new URL(link.value, location.href).href;
  link.addEventListener("focus", () => link.select());
  link.parentElement.querySelector("button.copy").addEventListener("click", async () => {
    link.select();
    await navigator.clipboard?.writeText(link.value).catch(() => {});
    $("notice").textContent = t("people.copied");
  });
}
if ($("invitation").dataset.host === "yes") look();
