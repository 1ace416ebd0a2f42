// A finished match again: slider and arrow keys, any seat's view, the why of every move.
import { drawHand } from "./calls.js";
import { $, make } from "./dom.js";
import { drawTable } from "./draw.js";
import { get, post } from "./line.js";
import { bindCheck } from "./seals.js";
import { settings } from "./settings.js";
import { drawOthers, drawWhy } from "./why.js";
import { eventText, setup, t } from "./words.js";

let frames = [];
let place = 0;
let asked = 0; // only the answer to the last question is shown

const first = () => frames[0].number;

// A long match comes in pages; whoever asks for too many of them at once is told to wait.
async function nextPage(seat, after) {
  for (;;) {
    try {
      return await get(`/replay?seat=${seat}&after=${after}`);
    } catch (error) {
      if (error.status !== 429) throw error;
      await new Promise((done) => setTimeout(done, 1000));
    }
  }
}

async function load(seat) {
  const match = await nextPage(seat, -1);
  const all = match.frames;
  while (all.at(-1).number < match.last) all.push(...(await nextPage(seat, all.at(-1).number)).frames);
  frames = all;
  setup.seat = seat;
  $("slider").max = frames.length - 1;
  return match;
}

function go(to, { push = true } = {}) {
  place = Math.min(frames.length - 1, Math.max(0, to));
  const frame = frames[place];
  $("slider").value = place;
  $("slider").setAttribute("aria-valuetext", t("replay.move", { number: place, count: frames.length - 1 }));
  const open = $("open").checked;
  drawTable(frame, { open });
  drawHand(frame, false, () => {});
  const address = `/replay/${setup.match}/${frame.number}`;
  $("permalink").href = address;
  if (push) history.replaceState(null, "", address);
  tell(frame);
}

function tell(frame) {
  const moved = frame.moved && frame.log.findLast((event) => event.action);
  const text = moved ? eventText(moved) : t("event.dealt", { number: frame.hand + 1 });
  $("move").textContent = text;
  $("live").replaceChildren(make("p", {}, text));
  $("others").replaceChildren();
  $("ask-others").hidden = !moved;
  $("why").replaceChildren();
  if (!moved) return;
  if (setup.agents[frame.moved.seat] === null) $("why").replaceChildren(make("p", { class: "small" }, t("error.own_move")));
  else explain(frame.number);
}

async function explain(number) {
  const mine = ++asked;
  await new Promise((done) => setTimeout(done, 150)); // whoever slides on does not want to know
  if (mine !== asked) return;
  try {
    const why = await get(`/why/${number}`);
    if (mine !== asked) return;
    const changed = why.action === why.played ? [] : [make("p", { class: "small" }, t("why.changed"))];
    $("why").replaceChildren(...changed, ...drawWhy(why));
  } catch (error) {
    if (mine === asked) $("why").replaceChildren(make("p", {}, error.message));
  }
}

async function askOthers() {
  $("others").replaceChildren(make("p", { class: "small" }, t("replay.thinking")));
  try {
    $("others").replaceChildren(...drawOthers(await get(`/others/${frames[place].number}`)));
  } catch (error) {
    $("others").replaceChildren(make("p", {}, error.message));
  }
}

// Shown by itself, move by move, until somebody takes hold of the slider.
let playing = null;

function play(on) {
  clearInterval(playing);
  playing = on ? setInterval(() => (place < frames.length - 1 ? go(place + 1) : play(false)), Math.max(250, settings.delay)) : null;
  $("play").textContent = on ? "❚❚" : "►";
  $("play").setAttribute("aria-pressed", String(on));
}

const KEYS = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("select, .scroll, input[type=checkbox]")) return;
  if (event.key in KEYS) go(place + KEYS[event.key]);
  else if (event.key === "Home") go(0);
  else if (event.key === "End") go(frames.length - 1);
  else return;
  event.preventDefault();
});

$("play").addEventListener("click", () => {
  if (place === frames.length - 1) go(0);
  play(!playing);
});
$("slider").addEventListener("pointerdown", () => play(false));
const match = await load(setup.seat);
bindCheck(match);
$("slider").addEventListener("input", () => go(Number($("slider").value)));
$("first").addEventListener("click", () => go(0));
$("back").addEventListener("click", () => go(place - 1));
$("forth").addEventListener("click", () => go(place + 1));
$("last").addEventListener("click", () => go(frames.length - 1));
$("open").addEventListener("change", () => go(place));
$("view").addEventListener("change", async () => { await load(Number($("view").value)); go(place); });
$("ask-others").addEventListener("click", askOthers);
$("again")?.addEventListener("click", () => post("/again").then(({ match: name }) => location.assign(`/table/${name}`)));
const byItself = new URLSearchParams(location.search).has("play");
if (byItself) $("open").checked = true;
go(setup.number - first(), { push: false });
if (byItself) play(true);
