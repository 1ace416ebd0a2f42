// The clock between people: how long is left, and the match for who stays when the other leaves.
import { $ } from "./dom.js";
import { get } from "./line.js";
import { spectatorsShown } from "./spectators.js";
import { setup } from "./words.js";

const LOOKS = 3000;
const between = setup.kind === "people";
let frame = null;
let ends = null;
let away = false;

export function bindClock(send) {
  if (!between) return;
  $("clock").hidden = false;
  $("claim").addEventListener("click", () => send("/claim", { number: frame.number }));
  setInterval(draw, 500);
  setInterval(look, LOOKS);
}

export function clockShown(shown) {
  if (!between) return;
  if (frame?.number !== shown.number) away = false;
  frame = shown;
  ends = shown.clock === null ? null : performance.now() + 1000 * shown.clock;
  draw();
}

export const timeText = (time) => (time === null ? "" : `${Math.floor(time / 60)}:${String(Math.floor(time % 60)).padStart(2, "0")}`);

const left = () => (ends === null ? null : Math.max(0, (ends - performance.now()) / 1000));

function draw() {
  if (!frame || frame.end) {
    $("clock").hidden = true;
    return;
  }
  const mine = frame.to_act === setup.seat;
  const time = left();
  $("clock-time").textContent = timeText(time);
  $("clock-time").classList.toggle("late", time !== null && time < 10);
  $("clock-away").hidden = !away || mine;
  if (mine) $("claim").hidden = true;
}

// Only the server knows whether the other is still there; asking also says that we are.
async function look() {
  if (!frame || frame.end || document.hidden) return;
  try {
    const told = await get("/clock");
    spectatorsShown(told);
    if (told.number !== frame.number) return;
    away = told.other_away;
    $("claim").hidden = !told.may_claim;
    draw();
  } catch {
    // the line is down: whoever listens to the match says so
  }
}
