// The board of a review: a decision as it stood, as it was played, and the better move.
import { drawHand } from "./calls.js";
import { $ } from "./dom.js";
import { drawTable } from "./draw.js";
import { get, post } from "./line.js";
import { setup } from "./words.js";

const links = [...document.querySelectorAll("a[data-number]")];
const steps = [...$("steps").querySelectorAll("button")];
let frames = {};
let asked = 0; // only the answer to the last question is shown

function draw(step) {
  for (const button of steps) button.setAttribute("aria-pressed", String(button.dataset.step === step));
  drawTable(frames[step], { open: true });
  drawHand(frames[step], false, () => {});
}

async function show(link) {
  const mine = ++asked;
  for (const other of links) other.toggleAttribute("aria-current", other.dataset.number === link.dataset.number);
  $("caption").textContent = link.dataset.caption;
  $("to-replay").href = link.href;
  $("play-on").dataset.number = link.dataset.number;
  try {
    const found = await get(`/review/${link.dataset.number}`);
    if (mine !== asked) return;
    frames = found;
    for (const button of steps) button.disabled = !frames[button.dataset.step];
    draw("before");
  } catch (error) {
    if (mine === asked) $("caption").textContent = error.message;
  }
}

for (const link of links) {
  link.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    show(link);
    $("board").scrollIntoView({ block: "nearest" });
  });
}
for (const button of steps) button.addEventListener("click", () => draw(button.dataset.step));

// Open practice from the decision on the board, against the same opponent.
$("play-on").addEventListener("click", async () => {
  try {
    const { match } = await post("/play-on", { number: Number($("play-on").dataset.number) });
    location.assign(`/table/${match}`);
  } catch (error) {
    $("caption").textContent = error.message;
  }
});

function openHand() {
  const hand = /^#hand-\d+$/.test(location.hash) && document.querySelector(location.hash);
  if (hand) hand.open = true;
}

addEventListener("hashchange", openHand);
openHand();
show(links.find((link) => Number(link.dataset.number) === setup.number));
