// What a player has chosen for this browser: speed and sound.
import { $ } from "./dom.js";

const SPEEDS = { slow: 1800, normal: 1000, fast: 450, instant: 0 };

export const settings = {
  speed: localStorage.getItem("speed") in SPEEDS ? localStorage.getItem("speed") : "normal",
  sound: localStorage.getItem("sound") === "on",
  get delay() { return SPEEDS[this.speed]; },
};

export function bindSettings() {
  $("speed").value = settings.speed;
  $("speed").addEventListener("change", () => {
    settings.speed = $("speed").value;
    localStorage.setItem("speed", settings.speed);
  });
  if (!$("sound")) return;
  $("sound").checked = settings.sound;
  $("sound").addEventListener("change", () => {
    settings.sound = $("sound").checked;
    localStorage.setItem("sound", settings.sound ? "on" : "off");
  });
}
