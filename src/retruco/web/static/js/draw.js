// Draws one position of a match: a function of what the seat sees, and of nothing else.
import { $, cardPicture, make } from "./dom.js";
import { cardName, eventText, isCall, nameOf, says, setup, t } from "./words.js";

const TIE = -1;

export function drawTable(frame, { open = false } = {}) {
  drawBoard(frame);
  drawOther(frame, open);
  drawRounds(frame, open);
  drawSpeech(frame);
  drawLog(frame);
}

// The board: matchsticks in fives, malos up to half the target and buenos above.
function drawBoard(frame) {
  for (const side of document.querySelectorAll(".side")) {
    const seat = side.dataset.side === "me" ? frame.seat : 1 - frame.seat;
    const score = frame.scores[seat];
    side.querySelector(".name").textContent = nameOf(seat);
    side.querySelector(".mao").hidden = frame.mao !== seat;
    side.querySelector(".count").textContent = shownScore(score);
    side.querySelector(".standing").textContent = standing(score);
    side.querySelector(".sticks").replaceChildren(...sticks(score));
    side.classList.toggle("turn", frame.to_act === seat && !frame.end);
  }
  $("facts").textContent = [t("table.hand", { number: frame.hand + 1 }), t("table.stake", { points: frame.stake }),
    t("board.to", { target: setup.target }), points(frame)].filter(Boolean).join(" · ");
}

function points(frame) {
  if (frame.envido === null) return ""; // whoever watches knows nobody's cards
  const stage = frame.flor && setup.flor !== false ? "flor" : "envido";
  return t(`table.${frame.seat === setup.me ? "your" : "seat"}_${stage}`, { points: frame[stage] });
}

const half = () => Math.ceil(setup.target / 2);

// A match to 24 ends at 24, whatever the last bet was worth.
export const shownScore = (score) => Math.min(score, setup.target);

export function standing(score) {
  const points = score <= half() ? score : shownScore(score) - half();
  const [one, many] = score <= half() ? ["board.malo", "board.malos"] : ["board.bueno", "board.buenos"];
  return t(points === 1 ? one : many, { points });
}

function sticks(score) {
  const malos = Math.min(score, half());
  const buenos = Math.max(0, Math.min(score, setup.target) - half());
  return [...squares(malos, "malos"), ...squares(buenos, "buenos")];
}

// Five sticks make a square with a diagonal, as on a paper board.
function squares(count, kind) {
  const found = [];
  for (let left = count; left > 0; left -= 5) found.push(square(Math.min(5, left), kind));
  return found;
}

const STICKS = ["M3 3V21", "M3 21H21", "M21 21V3", "M21 3H3", "M4 20L20 4"];

function square(count, kind) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", `square ${kind}`);
  for (const stick of STICKS.slice(0, count)) {
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", stick);
    svg.append(path);
  }
  return svg;
}

function drawOther(frame, open) {
  const held = open && frame.other_held ? frame.other_held : Array(frame.other_count).fill(null);
  const pictures = held.map((card) => cardPicture(card, setup.deck, card && cardName(card)));
  $("other-hand").replaceChildren(...pictures);
  $("other-hand").classList.toggle("open", Boolean(open && frame.other_held));
}

function drawRounds(frame, open) {
  const played = [frame.plays.filter((one) => one.seat === 0), frame.plays.filter((one) => one.seat === 1)];
  for (const round of document.querySelectorAll(".round")) {
    const place = Number(round.dataset.round) - 1;
    const winner = frame.winners[place];
    for (const [name, seat] of [["me", frame.seat], ["other", 1 - frame.seat]]) {
      const slot = round.querySelector(`.slot.${name}`);
      drawSlot(slot, played[seat][place], frame, open);
      slot.classList.toggle("won", winner === seat);
      slot.classList.toggle("lost", winner === 1 - seat);
    }
    const mark = round.querySelector(".mark");
    mark.textContent = winner === undefined ? "" : winner === TIE ? "=" : winner === frame.seat ? "▼" : "▲";
    round.classList.toggle("now", place === frame.winners.length && !frame.outcome);
  }
}

function drawSlot(slot, play, frame, open) {
  const key = play ? `${play.card}${play.down}${open}` : "";
  if (slot.dataset.shows === key) return;
  slot.dataset.shows = key;
  slot.replaceChildren();
  if (!play) return;
  const own = play.seat === frame.seat;
  const face = play.card ?? (open ? frame.down_faces?.[frame.plays.indexOf(play)] : null);
  const label = play.down ? t("card.down") : cardName(play.card);
  const picture = cardPicture(play.down && !(open || own) ? null : face, setup.deck, label);
  if (play.down) picture.classList.add("down");
  slot.append(picture);
}

// What was said last by each seat since the last card, as speech.
function drawSpeech(frame) {
  for (const [id, seat] of [["me-says", frame.seat], ["other-says", 1 - frame.seat]]) {
    const said = lastSaid(frame.log, seat);
    $(id).hidden = !said;
    if ($(id).textContent !== said) $(id).textContent = said ?? "";
  }
}

function lastSaid(log, seat) {
  const acts = log.filter((event) => event.action || "announced" in event);
  const mine = acts.findLastIndex((event) => event.seat === seat && speaks(event));
  if (mine < 0) return null;
  const since = acts.slice(mine + 1);
  if (since.some((event) => event.action && !speaks(event))) return null;
  const event = acts[mine];
  return "announced" in event ? String(event.announced) : says(event.action);
}

const speaks = (event) => "announced" in event || isCall(event.action);

function drawLog(frame) {
  const lines = frame.log.map((event) => make("li", { class: lineClass(event, frame) }, eventText(event)));
  if (frame.outcome) lines.push(make("li", { class: "line outcome" }, outcomeText(frame)));
  $("log").replaceChildren(...lines);
  const box = $("log").parentElement;
  box.scrollTop = box.scrollHeight;
}

function lineClass(event, frame) {
  const kind = "awarded" in event ? "award" : "announced" in event ? "announce" : "act";
  return `line ${kind} ${event.seat === frame.seat ? "me" : "other"}`;
}

// How a hand ended: who won it, why, and what it paid.
export function outcomeText({ outcome, seat, log }) {
  const [own, other] = [outcome.points[seat], outcome.points[1 - seat]];
  const winner = outcome.winner ?? (own === other ? null : own > other ? seat : 1 - seat);
  const key = winner === null ? "end.hand_nobody" : winner === setup.me ? "end.hand_you" : "end.hand_other";
  const lead = t(key, { name: winner === null ? "" : nameOf(winner) }).replace(/\.$/, "");
  const points = setup.me === null ? `${own} – ${other}` : t("end.hand_points", { own, other, name: nameOf(1 - seat) });
  return `${lead}: ${reasonText(outcome, log)}. ${points}.`;
}

function reasonText({ reason }, log) {
  if (reason !== "fold") return t(`end.reason.${reason}`);
  const { seat } = log.findLast((event) => event.action);
  return t(`end.reason.fold.${seat === setup.me ? "you" : "other"}`, { name: nameOf(seat) });
}
