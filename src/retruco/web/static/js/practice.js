// Open practice: hints from anybody, moves taken back, the why of every move at once.
import { $, make } from "./dom.js";
import { get } from "./line.js";
import { drawWhy } from "./why.js";
import { actionName, setup, t } from "./words.js";

const practising = setup.kind === "practice";

export function bindPractice(takeBack, refresh) {
  if (!practising) return;
  $("peek").addEventListener("change", refresh);
  $("take-back").addEventListener("click", () => {
    $("advice").replaceChildren();
    takeBack();
  });
  $("hint").addEventListener("click", () => advise(`/hint?agent=${encodeURIComponent($("adviser").value)}`, "practice.hint_says"));
  $("why-last").addEventListener("click", () => advise(`/why/${lastMove()}`, "why.it_did"));
}

// The other's last move may lie some positions back: the page knows it by its number.
let theirs = null;
const lastMove = () => theirs ?? 0;

export function practiceShown(frame, mayAct) {
  if (!practising) return;
  if (frame.moved && frame.moved.seat !== setup.seat) theirs = frame.number;
  if (frame.moved === null) theirs = null;
  $("hint").disabled = !mayAct;
  $("take-back").disabled = !(frame.hand || frame.log.some((event) => event.action && event.seat === setup.seat));
  $("why-last").disabled = theirs === null;
}

async function advise(path, key) {
  try {
    const advice = await get(path);
    const lead = t(key, { name: advice.agent, action: actionName(advice.action) });
    $("advice").replaceChildren(make("p", { class: "lead" }, lead), ...drawWhy(advice));
  } catch (error) {
    $("advice").replaceChildren(make("p", {}, error.message));
  }
}
