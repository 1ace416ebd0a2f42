// What a player has chosen for this browser: speed, the pause between hands, sound.
import { $ } from "./dom.js";

const SPEEDS = { slow: 1800, normal: 1000, fast: 450, instant: 0 };
const BETWEEN = 4; // seconds

const stored = (name) => localStorage.getItem(name);

export const settings = {
  speed: stored("speed") in SPEEDS ? stored("speed") : "normal",
  between: stored("between") === "click" || stored("between") >= 0 ? stored("between") ?? BETWEEN : BETWEEN,
  sound: stored("sound") === "on",
  get delay() { return SPEEDS[this.speed]; },
  // Milliseconds for which the result of a hand stays; null until the player asks for the next hand.
  get resultTime() { return this.between === "click" ? null : 1000 * this.between; },
};

function choose(name) {
  if (!$(name)) return;
  $(name).value = settings[name];
  $(name).addEventListener("change", () => {
    settings[name] = $(name).value;
    localStorage.setItem(name, settings[name]);
  });
}

export function bindSettings() {
  choose("speed");
  choose("between");
  if (!$("sound")) return;
  $("sound").setAttribute("aria-pressed", String(settings.sound));
  $("sound").addEventListener("click", () => {
    settings.sound = !settings.sound;
    $("sound").setAttribute("aria-pressed", String(settings.sound));
    localStorage.setItem("sound", settings.sound ? "on" : "off");
  });
}
