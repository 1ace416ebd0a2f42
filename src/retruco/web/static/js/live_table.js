// A live table of any game that the server draws: positions come in, are shown one after the other, and are answered.
import { bindClock, clockShown } from "./clock.js";
import { askConsent, bindConsent } from "./consent.js";
import { contribution } from "./contribute.js";
import { $, make } from "./dom.js";
import { get, listen, post, Refusal } from "./line.js";
import { bindPhrases, saidText } from "./phrases.js";
import { awaitRematch } from "./rematch.js";
import { rememberSeal } from "./seals.js";
import { bindSettings, settings } from "./settings.js";
import { bindSpectators } from "./spectators.js";
import { nameOf, setup, t } from "./words.js";

const NORMAL = 1000;
const LEAST_RESULT = 1200; // the end of a trick is seen even without waiting
const USUAL_RESULT = 4000; // hands follow by themselves here
const queue = [];
let shown = null;
let busy = false;
let showing = false;
let focusAtTable = false; // when the last move was sent: a button that is disabled loses the focus

const newest = () => queue.at(-1) ?? shown;

function take(frames) {
  for (const frame of frames) {
    if (!newest() || frame.number > newest().number || (frame.end && !newest().end)) queue.push(frame);
  }
  showAll();
}

async function showAll() {
  if (showing) return;
  showing = true;
  while (queue.length) {
    if (shown) await pause(timeOf(shown));
    show(queue.shift());
  }
  showing = false;
}

// How long a position stays: the end of a hand for the pause that the player has chosen, all else as long as its
// game says, at the speed that the player has chosen.
function timeOf(frame) {
  const between = settings.resultTime ?? USUAL_RESULT;
  if (frame.outcome) return between;
  const time = (frame.pause * 1000 * settings.delay) / NORMAL;
  return frame.ends_trick ? Math.max(time, Math.min(LEAST_RESULT, between)) : time;
}

const pause = (time) => new Promise((done) => setTimeout(done, time));

function show(frame) {
  const isFirst = shown === null;
  shown = frame;
  if (!isFirst || $("board").firstElementChild?.dataset.number !== String(frame.number)) draw($("board"), frame.html);
  if (frame.summary) {
    draw($("summary"), frame.summary);
    $("summary").hidden = false;
  }
  $("seal").textContent = frame.seal;
  if (frame.end) finish();
  if (!isFirst && frame.says) tell(frame);
  const myTurn = frame.legal.length > 0;
  document.title = `${myTurn ? "● " : ""}${document.title.replace(/^● /, "")}`;
  clockShown(frame);
  rememberSeal(frame);
}

// The drawing is made by our own templates, in which everything from outside is escaped.
function draw(element, html) {
  const active = document.activeElement;
  const focused = element.contains(active) || (focusAtTable && active === document.body && element === $("board"));
  element.innerHTML = html;
  if (focused) (element.querySelector("[data-act] button") ?? $("turn"))?.focus({ preventScroll: true });
}

function tell(frame) {
  const turn = frame.legal.length ? ` ${t("table.your_turn")}` : "";
  $("live").append(make("p", {}, frame.says + turn));
  while ($("live").children.length > 12) $("live").firstChild.remove();
}

function finish() {
  $("over").hidden = false;
  askConsent();
  $("leaving")?.remove();
  awaitRematch(notice);
}

export function notice(text) {
  $("notice").textContent = text;
}

// Acting: the forms work without a script too; with one, nothing is loaded anew.

async function send(path, body) {
  if (busy) return;
  busy = true;
  notice("");
  focusAtTable = $("board").contains(document.activeElement);
  for (const button of document.querySelectorAll("[data-act] button")) button.disabled = true;
  try {
    take((await post(path, body)).frames);
  } catch (error) {
    notice(error instanceof Refusal ? error.message : t("table.reconnecting"));
    await lookAgain();
  } finally {
    busy = false;
  }
}

async function lookAgain() {
  const { frames } = await get(`?after=${shown.number - 1}`).catch(() => ({ frames: [] }));
  if (frames.length && frames[0].number === shown.number) draw($("board"), frames[0].html);
  take(frames.slice(1));
}

function onSubmit(event) {
  const form = event.target;
  if (form.matches("[data-act]")) {
    event.preventDefault();
    send("/act", { number: Number(form.elements.number.value), action: event.submitter.value });
  } else if (form.matches("[data-leave]")) {
    event.preventDefault();
    send("/resign", { number: newest().number });
  }
}

async function rematch() {
  try {
    const { match } = await post("/rematch", await contribution(setup.form_key));
    location.assign(`/table/${match}`);
  } catch (error) {
    notice(error.message);
  }
}

function lineState(state, detail) {
  document.body.classList.toggle("line-lost", state === "lost");
  if (state === "lost") notice(t("table.reconnecting"));
  else if (state === "open" && $("notice").textContent === t("table.reconnecting")) notice(t("table.reconnected"));
  else if (state === "crowded") notice(t("table.crowded"));
  else if (state === "phrase") notice(saidText(detail));
  else if (state === "preparing") notice(t("table.preparing", { name: nameOf(shown?.to_act ?? 0), seconds: detail.seconds }));
}

bindSettings();
bindClock(send);
bindPhrases(notice);
bindSpectators(notice);
bindConsent(notice);
$("rematch")?.addEventListener("click", rematch);
document.addEventListener("submit", onSubmit);
listen(setup.number - 1, (frame) => {
  if (!showing) notice("");
  take([frame]);
}, lineState);
