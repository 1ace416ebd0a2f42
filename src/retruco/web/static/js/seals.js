// Seals: what was shown before each hand is kept by this browser and compared after the match.
import { $, make } from "./dom.js";
import { setup, t } from "./words.js";

const KEY = `seals:${setup.match}`;

const kept = () => JSON.parse(localStorage.getItem(KEY) ?? "{}");

export function rememberSeal(frame) {
  const seals = kept();
  if (seals[frame.hand]) return;
  localStorage.setItem(KEY, JSON.stringify({ ...seals, [frame.hand]: frame.seal }));
}

async function sealOf(text) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export function bindCheck(deals) {
  const first = deals[0];
  $("recipe").textContent = `printf '%s' '${first.salt} ${first.deal}' | sha256sum\n${first.seal}`;
  $("check").addEventListener("click", () => check(deals));
}

async function check(deals) {
  const seen = kept();
  const lines = await Promise.all(deals.map(async (deal, hand) => {
    const right = await sealOf(`${deal.salt} ${deal.deal}`) === deal.seal;
    const same = seen[hand] === undefined || seen[hand] === deal.seal;
    const key = !right || !same ? "fairness.differs" : seen[hand] === undefined ? "fairness.matches" : "fairness.matches_seen";
    return make("li", { class: right && same ? "right" : "wrong" }, `${deal.deal} – ${t(key)}`);
  }));
  $("seals").replaceChildren(...lines);
}
