// After a match of people: tells when the other asks for a rematch.
import { get } from "./line.js";
import { setup, t } from "./words.js";

const LOOKS = 3000;
const PATIENCE = 600000; // whoever has not asked by then has gone
let looking = null;

export function awaitRematch(notice) {
  if (setup.kind !== "people" || looking !== null) return;
  looking = setInterval(() => look(notice), LOOKS);
  setTimeout(() => clearInterval(looking), PATIENCE);
}

async function look(notice) {
  if (document.hidden) return;
  const { asked_by: name } = await get("/rematch").catch(() => ({ asked_by: null })); // asked again soon
  if (name === null) return;
  clearInterval(looking);
  notice(t("people.rematch_asked", { name }));
}
