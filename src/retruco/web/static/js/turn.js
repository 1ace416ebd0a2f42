// Whose turn it is and what is asked, in words.
import { $ } from "./dom.js";
import { nameOf, says, setup, t } from "./words.js";

const FLOR = ["flor", "contraflor", "contraflor-resto"];

export function drawTurn(frame, mayAct) {
  const text = turnText(frame, mayAct);
  if ($("turn-line").textContent !== text) $("turn-line").textContent = text;
  $("turn-line").classList.toggle("asks", mayAct);
}

function turnText(frame, mayAct) {
  if (frame.end || frame.outcome || frame.to_act === null) return "";
  const name = nameOf(1 - setup.seat);
  if (frame.to_act !== setup.seat) return t("table.thinking", { name });
  if (!mayAct) return t("table.your_turn");
  if (FLOR.includes(frame.waiting)) return t("table.your_answer", { call: t(`call.${frame.waiting}.label`) });
  if (frame.waiting) return t("table.turn_answer", { name, words: says(frame.waiting) });
  return t(frame.can?.cards.length ? "table.turn_lead" : "table.turn_flor");
}
