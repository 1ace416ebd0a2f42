// Seals and draws: what was shown before each hand is kept by this browser and compared after the match.
import { given } from "./contribute.js";
import { dealOf, firstOf, keyOf, sha256 } from "./deals.js";
import { $, make } from "./dom.js";
import { setup, t } from "./words.js";

const KEY = `seals:${setup.match}`;

const kept = () => JSON.parse(localStorage.getItem(KEY) ?? "{}");

export function rememberSeal(frame) {
  const seals = kept();
  if (seals[frame.hand]) return;
  localStorage.setItem(KEY, JSON.stringify({ ...seals, [frame.hand]: frame.seal }));
}

export function bindCheck(match) {
  const [first] = match.seals;
  $("recipe").textContent = `printf '%s' '${first.salt} ${first.deal}' | sha256sum\n${first.seal}`;
  $("check").addEventListener("click", () => check(match));
}

const line = (right, text) => make("li", { class: right ? "right" : "wrong" }, text);

async function check(match) {
  const key = match.draw.length && !match.origin ? await keyOf(match.draw) : null;
  $("draw").replaceChildren(...await checkDraw(match, key));
  $("seals").replaceChildren(...await Promise.all(match.seals.map((deal, hand) => checkDeal(deal, hand, key))));
}

// The server's commitments, this browser's contribution, and who began.
async function checkDraw(match, key) {
  if (!match.draw.length) return [make("li", {}, t("fairness.no_draw"))];
  const mine = given();
  const lines = [];
  for (const one of match.draw) {
    const right = await sha256(one.secret) === one.commitment;
    const commitment = `${one.commitment.slice(0, 16)}…`;
    lines.push(line(right, t(right ? "fairness.secret_right" : "fairness.secret_wrong", { commitment })));
    if (mine[one.commitment] === undefined) continue;
    const same = mine[one.commitment] === one.contribution;
    lines.push(line(same, t(same ? "fairness.yours" : "fairness.yours_missing")));
  }
  if (!match.draw.some((one) => one.contribution)) lines.push(make("li", {}, t("fairness.alone")));
  if (match.origin) lines.push(make("li", {}, t("fairness.repeated")));
  if (key) {
    const right = await firstOf(key) === match.first;
    lines.push(line(right, t(right ? "fairness.first_right" : "fairness.first_wrong")));
  }
  return lines;
}

async function checkDeal(deal, hand, key) {
  const seen = kept()[hand];
  const sealed = await sha256(`${deal.salt} ${deal.deal}`) === deal.seal && (seen === undefined || seen === deal.seal);
  const drawn = !key || await dealOf(key, hand) === deal.deal;
  const about = !sealed ? "differs" : !drawn ? "not_drawn" : seen === undefined ? "matches" : "matches_seen";
  return line(sealed && drawn, `${deal.deal} – ${t(`fairness.${about}`)}${drawn && key ? ` ${t("fairness.drawn")}` : ""}`);
}
