// A match at the table: positions come in, are shown one after the other, and are answered.
import { drawCalls, drawHand, reason, toggleDown } from "./calls.js";
import { bindClock, clockShown } from "./clock.js";
import { askConsent, bindConsent } from "./consent.js";
import { $, make } from "./dom.js";
import { drawTable, outcomeText, shownScore } from "./draw.js";
import { bindGuide, guideShown } from "./guide.js";
import { get, listen, post, Refusal } from "./line.js";
import { bindPhrases, saidText } from "./phrases.js";
import { bindPractice, practiceShown } from "./practice.js";
import { schoolShown, teaching } from "./school.js";
import { contribution } from "./contribute.js";
import { awaitRematch } from "./rematch.js";
import { rememberSeal } from "./seals.js";
import { bindSettings, settings } from "./settings.js";
import { bindSpectators } from "./spectators.js";
import { play as sound } from "./sound.js";
import { drawTurn } from "./turn.js";
import { eventText, nameOf, setup, t } from "./words.js";

const queue = [];
let shown = null;
let busy = false; // an answer is on its way
let waiting = null; // resolves when the player asks for the next hand
let showing = false;

const newest = () => queue.at(-1) ?? shown;
const isLast = () => shown && !queue.length;
const mayAct = () => isLast() && !busy && !shown.end && !shown.outcome && shown.to_act === setup.seat && (!teaching || Boolean(shown.asks));

// In: positions by number, each once.

function take(frames) {
  for (const frame of frames) {
    if (!newest() || frame.number > newest().number) queue.push(frame);
    else if (frame.end && shown?.number === frame.number) queue.push(frame);
  }
  showAll();
}

async function showAll() {
  if (showing) return;
  showing = true;
  while (queue.length) {
    const next = queue[0];
    if (shown && next.moved && next.moved.seat !== setup.seat) await pause(settings.delay);
    if (shown?.outcome && next.hand !== shown.hand && !next.end) await nextHand();
    if (queue[0] !== next) continue; // it gave way to another meanwhile
    queue.shift();
    show(next);
  }
  showing = false;
  refresh();
}

const pause = (time) => new Promise((done) => setTimeout(done, time));

// The result of a hand stays for the pause that the player has chosen, or until the player asks for the next hand.
function nextHand() {
  const time = settings.resultTime;
  if (time === 0) return pause(0);
  return new Promise((done) => {
    const timer = time === null ? null : setTimeout(() => waiting?.(), time);
    waiting = () => { clearTimeout(timer); waiting = null; done(); };
    drawResult();
  });
}

function show(frame) {
  const before = shown;
  shown = frame;
  if (before?.outcome && before.hand < frame.hand) addEarlier(before);
  forgetHands((hand) => hand >= frame.hand); // a hand that was taken back is not an earlier one
  $("hand").dataset.down = "off";
  if ($("notice").textContent !== t("table.reconnecting")) $("notice").textContent = "";
  refresh();
  tell(before, frame);
  rememberSeal(frame);
}

export function refresh() {
  if (!shown) return;
  drawTable(shown, { open: $("peek")?.checked ?? false });
  drawHand(shown, mayAct(), playCard);
  drawCalls(shown, mayAct(), act, notice);
  drawResult();
  drawTurn(shown, mayAct());
  $("seal").textContent = shown.seal;
  $("seal-line").textContent = t("fairness.short", { seal: `${shown.seal.slice(0, 16)}…` });
  practiceShown(shown, mayAct());
  guideShown(shown, mayAct());
  clockShown(shown);
  schoolShown(shown, mayAct(), act);
  const [own, other] = [shown.scores[setup.seat], shown.scores[1 - setup.seat]].map(shownScore);
  document.title = `${mayAct() ? "● " : ""}${own}–${other} · Retruco`;
}

// Out: what has happened since, to ears and to those who read the screen by ear.

function tell(before, frame) {
  const fresh = before && before.hand === frame.hand ? frame.log.slice(before.log.length) : frame.log;
  const lines = before || frame.log.length ? fresh.map((event) => eventText(event)) : [];
  if (frame.outcome) lines.push(outcomeText(frame));
  if (frame.end) lines.push(verdict(frame));
  else if (frame.to_act === setup.seat) lines.push(t("table.your_turn"));
  if (lines.length) $("live").append(make("p", {}, lines.join(" ")));
  while ($("live").children.length > 12) $("live").firstChild.remove();
  ring(frame, fresh);
}

function ring(frame, fresh) {
  if (frame.end) return sound(frame.end.winner === setup.seat ? "won" : "lost", settings.sound);
  if (fresh.some((event) => "awarded" in event)) return sound("points", settings.sound);
  const last = fresh.findLast((event) => event.action);
  return last && sound(/\d/.test(last.action[0]) || last.action.startsWith("down") ? "card" : "call", settings.sound);
}

export function notice(text) {
  $("notice").textContent = "";
  requestAnimationFrame(() => { $("notice").textContent = text; });
}

// Acting

function playCard(card, down) {
  if (!mayAct()) return notice(t(shown.outcome ? "why_not.hand-over" : "why_not.not-your-turn"));
  if (!shown.can.cards.includes(card)) return notice(t(shown.waiting ? "why_not.card-must-wait" : "why_not.sing-first"));
  return act(down && shown.can.down ? `down:${card}` : card);
}

async function act(action) {
  await send("/act", { number: shown.number, action });
}

// With `instead`, what was still to be shown gives way to the answer.
async function send(path, body, { instead = false } = {}) {
  if (busy) return;
  busy = true;
  notice("");
  refresh();
  try {
    const { frames } = await post(path, body);
    if (instead) {
      queue.length = 0;
      waiting?.();
    }
    take(frames);
  } catch (error) {
    await recover(error);
  } finally {
    busy = false;
    if (!showing) refresh();
  }
}

const takeBack = () => send("/take-back", { number: newest().number }, { instead: true });
const resign = () => send("/resign", { number: newest().number }, { instead: true });

// A stale answer means that the table has moved on, here or in another tab: look again.
async function recover(error) {
  notice(error instanceof Refusal ? error.message : t("table.reconnecting"));
  if (error instanceof Refusal && error.status === 409) take((await get(`?after=${shown.number}`)).frames);
}

// The end of a hand and of the match

function drawResult() {
  const over = shown?.end && isLast();
  if (!(waiting || over) && $("result").contains(document.activeElement)) $("main").focus({ preventScroll: true });
  $("result").hidden = !(waiting || over);
  if (over) return drawEnd();
  if (!waiting || $("result").dataset.hand === String(shown.hand)) return undefined;
  $("result").dataset.hand = shown.hand;
  $("result").replaceChildren(
    make("p", { class: "outcome" }, outcomeText(shown)),
    make("button", { type: "button", class: "primary", id: "next", onclick: () => waiting?.() }, t("table.next_hand"), make("kbd", {}, "↵")),
  );
  return $("next").focus({ preventScroll: true });
}

function verdict(frame) {
  const other = nameOf(1 - setup.seat);
  const [own, others] = [frame.scores[setup.seat], frame.scores[1 - setup.seat]].map(shownScore);
  const who = frame.end.winner === setup.me ? t("end.match_you") : t("end.match_other", { name: nameOf(frame.end.winner) });
  const how = frame.end.ending === "played" ? "" : ` (${t(`end.ending.${frame.end.ending}`, { name: other })})`;
  return `${who} ${t("end.score", { own, other: others })}${how}`;
}

function drawEnd() {
  if ($("result").dataset.hand === "end") return;
  $("result").dataset.hand = "end";
  $("result").classList.add(shown.end.winner === setup.seat ? "won" : "lost");
  const buttons = [
    make("button", { type: "button", class: "primary", id: "rematch", onclick: rematch }, t("end.rematch")),
  ];
  if (["match", "again"].includes(setup.kind)) {
    buttons.push(make("button", { type: "button", id: "again", onclick: again, title: t("end.swap_about") }, t("end.swap")));
  }
  if (setup.study && shown.end.ending === "played") {
    buttons.push(make("a", { class: "button", id: "to-opinion", href: `/opinion/${setup.match}` }, t("opinion.title")));
  }
  if (setup.kind !== "practice") {
    buttons.push(
      make("a", { class: "button", id: "to-review", href: `/review/${setup.match}` }, t("review.open")),
      make("a", { class: "button", id: "to-replay", href: `/replay/${setup.match}/0` }, t("end.replay")),
      make("a", { class: "button", href: "/me" }, t("statistics.title")),
    );
  }
  $("result").replaceChildren(make("p", { class: "outcome" }, verdict(shown)), make("p", { class: "small", id: "rating-now" }), make("div", { class: "buttons" }, ...buttons));
  tellRating();
  awaitRematch(notice);
  $("resign").hidden = true;
  askConsent();
  $("rematch").focus({ preventScroll: true });
  $("result").scrollIntoView({ block: "nearest" });
}

// What a match that counted has made of one's rating.
async function tellRating() {
  if (!["match", "people"].includes(setup.kind)) return;
  const answer = await fetch("/api/me/rating", { credentials: "same-origin" }).catch(() => null);
  const games = answer?.ok ? (await answer.json()).games : {};
  const counted = games[setup.game]?.matches.find(({ match }) => match === setup.match);
  if (!counted) return;
  const change = `${counted.change < 0 ? "−" : "+"}${Math.abs(counted.change)}`;
  $("rating-now").replaceChildren(make("a", { href: "/rating" }, t("rating.changed", { rating: counted.rating, change })));
}

const goTo = ({ match }) => location.assign(`/table/${match}`);
const say = (error) => notice(error.message);

const another = async () => {
  const given = await contribution(setup.form_key);
  const wish = { opponent: setup.opponent, rules: setup.rules, target: setup.target, practice: setup.kind === "practice", guided: setup.kind === "guided" };
  return (setup.kind === "people" ? post("/rematch", given) : post("matches", { ...wish, ...given })).then(goTo, say);
};

const rematch = () => (teaching ? location.assign("/teach") : another());

const again = () => post("/again").then(goTo, say);

// Earlier hands: only what was shown.

function addEarlier(frame) {
  forgetHands((hand) => hand === frame.hand);
  $("earlier").hidden = false;
  const [own, other] = [frame.outcome.points[setup.seat], frame.outcome.points[1 - setup.seat]];
  const title = t("table.earlier_hand", { number: frame.hand + 1, own, other, name: nameOf(1 - setup.seat) });
  const lines = frame.log.map((event) => make("li", {}, eventText(event)));
  $("hands").prepend(make("li", { "data-hand": frame.hand }, make("details", {}, make("summary", {}, title), make("ol", {}, ...lines))));
}

function forgetHands(these) {
  for (const line of [...$("hands").children]) if (these(Number(line.dataset.hand))) line.remove();
}

// Keys

function onKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea, dialog")) return;
  const key = event.key.toLowerCase();
  if (key === "enter" && waiting && !event.target.closest("button, a, summary")) return waiting();
  if (!shown || waiting) return;
  const digit = /^Digit([123])$/.exec(event.code)?.[1] ?? (/^[123]$/.test(key) ? key : null);
  if (digit && shown.held[digit - 1]) {
    event.preventDefault();
    playCard(shown.held[digit - 1], event.shiftKey || $("hand").dataset.down === "on");
  } else if (key === "d" && shown.can?.down && mayAct()) toggleDown();
  else callByKey(key);
}

function callByKey(key) {
  const ones = (shown.can?.calls ?? []).filter((one) => one.key === key);
  if (!ones.length) return;
  const legal = ones.find((one) => one.why_not === null);
  if (legal && mayAct()) act(legal.call);
  else notice(reason(legal ? {} : ones[0]));
}

// Beginning

let preparing = false;

function lineState(state, detail) {
  document.body.classList.toggle("line-lost", state === "lost");
  if (state === "lost") notice(t("table.reconnecting"));
  else if (state === "open" && $("notice").textContent === t("table.reconnecting")) notice(t("table.reconnected"));
  else if (state === "crowded") notice(t("table.crowded"));
  else if (state === "phrase") notice(saidText(detail));
  else if (state === "preparing") {
    preparing = true;
    $("notice").textContent = t("table.preparing", { name: nameOf(1 - setup.seat), seconds: detail.seconds });
  }
}

bindSettings();
bindPractice(takeBack, refresh);
bindGuide();
bindClock(send);
bindPhrases(notice);
bindSpectators(notice);
bindConsent(notice);
document.addEventListener("keydown", onKey);
$("resign").addEventListener("click", () => $("sure").showModal());
$("sure").addEventListener("close", () => {
  if ($("sure").returnValue === "yes") resign();
});
get("/hands").then(({ hands }) => hands.forEach(addEarlier)).catch((error) => notice(error.message));
listen(setup.number - 1, (frame) => {
  if (preparing) notice("");
  preparing = false;
  take([frame]);
}, lineState);
