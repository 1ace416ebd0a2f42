// Somebody else's match, live: what lies on the table and what is said, and nothing that is hidden.
import { timeText } from "./clock.js";
import { $, cardPicture, make } from "./dom.js";
import { drawTable, outcomeText, shownScore } from "./draw.js";
import { listen } from "./line.js";
import { saidText } from "./phrases.js";
import { eventText, nameOf, setup, t } from "./words.js";

const queue = [];
const LEAST = 400; // moves that come at once are seen one after the other
let shown = null;
let clockEnds = null;
let showing = false;

async function showAll() {
  if (showing) return;
  showing = true;
  while (queue.length) {
    show(queue.shift());
    if (queue.length) await new Promise((done) => setTimeout(done, shown.outcome ? 4 * LEAST : LEAST));
  }
  showing = false;
}

// The server draws the tables of the other games, by our own templates, in which everything from outside is escaped.
function show(frame) {
  const before = shown;
  shown = frame;
  clockEnds = frame.clock === null ? null : performance.now() + 1000 * frame.clock;
  drawClock();
  if (frame.html) $("board").innerHTML = frame.html;
  else drawTruco(frame);
  const said = frame.html ? frame.says : news(before, frame);
  if (said) $("live").replaceChildren(make("p", {}, said));
  if (frame.end) finish(frame);
}

function drawClock() {
  $("clock-time").textContent = timeText(clockEnds === null ? null : Math.max(0, (clockEnds - performance.now()) / 1000));
}

function drawTruco(frame) {
  drawTable(frame);
  $("hand").className = "backs"; // nobody's cards are the reader's
  $("hand").setAttribute("aria-label", nameOf(0));
  $("hand").replaceChildren(...Array.from({ length: frame.count }, () => cardPicture(null, setup.deck)));
  $("turn-line").textContent = frame.end || frame.to_act === null ? "" : t("tables.waits_for", { name: nameOf(frame.to_act) });
  document.title = `${frame.scores.map(shownScore).join("–")} · Retruco`;
}

function news(before, frame) {
  const fresh = before?.hand === frame.hand ? frame.log.slice(before.log.length) : frame.log;
  return [...fresh.map((event) => eventText(event)), ...(frame.outcome ? [outcomeText(frame)] : [])].join(" ");
}

function finish(frame) {
  $("to-replay").hidden = false;
  if (frame.html) return; // the board says how it ended
  const { end, scores } = frame;
  const [first, second] = scores.map(shownScore);
  const who = end.winner === null ? "" : t("end.match_other", { name: nameOf(end.winner) });
  const how = end.ending === "played" ? "" : ` (${t(`end.ending.${end.ending}`, { name: nameOf(1 - end.winner) })})`;
  $("result").textContent = `${who} ${t("end.score", { own: first, other: second })}${how}`;
  $("result").hidden = false;
}

function lineState(state, detail) {
  if (state === "watchers") $("watchers").textContent = t("people.watchers", detail);
  else if (state === "phrase") $("notice").textContent = saidText(detail);
  else if (state === "closed") $("notice").textContent = t("people.watch_closed");
  else if (state === "crowded") $("notice").textContent = t("people.watch_full");
  else if (state === "lost") $("notice").textContent = t("table.reconnecting");
  else if (state === "open" && $("notice").textContent === t("table.reconnecting")) $("notice").textContent = "";
}

setInterval(drawClock, 500);
listen(setup.number - 1, (frame) => {
  queue.push(frame);
  showAll();
}, lineState, "/watch");
