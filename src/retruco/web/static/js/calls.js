// The buttons: cards to play, calls with what they are worth, and why the others are not possible.
import { $, cardPicture, make } from "./dom.js";
import { cardName, has, setup, t } from "./words.js";

const TRUCO = ["truco", "retruco", "vale4"];
const FLOR = ["flor", "contraflor", "contraflor-resto", "achico"];
const REPLIES = ["quero", "nao-quero"];

export function drawHand(frame, active, onPlay) {
  const down = { on: $("hand").dataset.down === "on" && Boolean(frame.can?.down) };
  const cards = frame.held.map((card, place) => make("button", {
    type: "button", class: "play-card", "data-card": card, "aria-keyshortcuts": String(place + 1),
    "aria-label": t(down.on ? "spoken.play_down" : "spoken.play", { card: cardName(card) }),
    "aria-disabled": active && frame.can?.cards.includes(card) ? null : "true",
    onclick: () => onPlay(card, $("hand").dataset.down === "on"),
  }, cardPicture(card, setup.deck), make("kbd", { "aria-hidden": "true" }, String(place + 1))));
  const focused = document.activeElement?.dataset?.card;
  $("hand").replaceChildren(...cards, ...downToggle(frame, active, down.on));
  $("hand").classList.toggle("facing-down", down.on);
  if (focused) $("hand").querySelector(`[data-card="${focused}"]`)?.focus();
}

function downToggle(frame, active, on) {
  if (!active || !frame.can?.down) return [];
  return [make("button", {
    type: "button", class: "down-toggle", id: "down", "aria-pressed": String(on), "aria-keyshortcuts": "d",
    onclick: toggleDown,
  }, t("table.down_on"), make("kbd", { "aria-hidden": "true" }, "d"))];
}

export function toggleDown() {
  const on = $("hand").dataset.down !== "on";
  $("hand").dataset.down = on ? "on" : "off";
  $("down")?.setAttribute("aria-pressed", String(on));
  $("hand").classList.toggle("facing-down", on);
}

// Which buttons there are does not jump about: one for each step, one for each kind of call.
export function shownCalls(frame) {
  const calls = frame.can?.calls ?? [];
  const legal = (call) => calls.find((one) => one.call === call)?.why_not === null;
  const step = TRUCO.find(legal) ?? TRUCO[Math.min(2, Math.max(0, frame.stake - 1 + (TRUCO.includes(frame.waiting) ? 1 : 0)))];
  const flors = setup.flor ? FLOR.filter((call) => legal(call) || (call === "flor" && !FLOR.some(legal))) : [];
  const replies = REPLIES.some(legal) ? REPLIES : [];
  const envidos = flors.some((call) => call !== "flor") ? [] : ["envido", "real-envido", "falta-envido"]; // a flor closes the envido
  const wanted = [...replies, step, ...envidos, ...flors, "baralho"];
  return wanted.map((name) => calls.find((one) => one.call === name)).filter(Boolean);
}

export function drawCalls(frame, active, onCall, onWhyNot) {
  const focused = document.activeElement?.dataset?.call;
  $("calls").replaceChildren(...shownCalls(frame).map((one) => callButton(one, active, onCall, onWhyNot)));
  if (focused) $("calls").querySelector(`[data-call="${focused}"]`)?.focus();
}

function callButton(one, active, onCall, onWhyNot) {
  const possible = active && one.why_not === null;
  const worth = possible ? worthText(one) : "";
  return make("button", {
    type: "button", class: `call ${one.call}${worth ? "" : " plain"}`, "data-call": one.call,
    "aria-disabled": possible ? null : "true", "aria-keyshortcuts": one.key,
    title: possible ? `${t(`call.${one.call}.about`)} (${worthTitle(one)})` : reason(one),
    onclick: () => (possible ? onCall(one.call) : onWhyNot(reason(one))),
  }, make("span", { class: "word" }, t(`call.${one.call}.label`)),
  worth ? make("span", { class: "worth" }, worth, make("span", { class: "hidden" }, ` (${worthTitle(one)})`)) : null,
  make("kbd", { "aria-hidden": "true" }, one.key));
}

function worthText(one) {
  if (one.accepted == null) return "";
  if (one.call === "nao-quero" || one.call === "baralho") return t("worth.short_gives", { accepted: one.accepted });
  return one.declined == null ? `${one.accepted}` : t("worth.short_both", one);
}

export function worthTitle(one) {
  if (one.accepted == null) return "";
  if (one.call === "nao-quero" || one.call === "baralho") return t("worth.gives", { accepted: one.accepted });
  const key = one.declined == null ? "worth.only" : "worth.both";
  return t(key, { accepted: one.accepted, declined: one.declined });
}

export const reason = (one) => t(one.why_not && has(`why_not.${one.why_not}`) ? `why_not.${one.why_not}` : "why_not.not-your-turn");
