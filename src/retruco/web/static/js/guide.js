// Help in a first match: what may be done, what it is worth, which card beats which; it recedes hand by hand.
import { worthTitle } from "./calls.js";
import { $, cardPicture, make } from "./dom.js";
import { get } from "./line.js";
import { actionName, cardName, has, nameOf, setup, t } from "./words.js";

const guided = setup.kind === "guided";
const OPEN_HANDS = { "guide-can": 3, "guide-words": 4, "guide-cards": 6 }; // for how many hands each part stands open
const RECEDES = 3;
let hand = -1;

export function bindGuide() {
  if (!guided) return;
  $("guide-ask").addEventListener("click", ask);
}

async function ask() {
  try {
    const advice = await get(`/hint?agent=${setup.adviser.level}`);
    const says = t("guide.says", { name: setup.adviser.name, action: actionName(advice.action) });
    $("guide-answer").replaceChildren(make("p", {}, make("strong", {}, says), ` ${advice.plain}`));
  } catch (error) {
    $("guide-answer").replaceChildren(make("p", {}, error.message));
  }
}

export function guideShown(frame, mayAct) {
  if (!guided) return;
  if (frame.hand !== hand) recede(frame.hand);
  hand = frame.hand;
  $("guide-ask").disabled = !mayAct;
  if (!mayAct) $("guide-answer").replaceChildren();
  $("guide-now").textContent = now(frame, mayAct);
  $("guide-can").querySelector("ul").replaceChildren(...possible(frame, mayAct));
  $("guide-cards").querySelector(".strengths").replaceChildren(...strengths(frame));
  $("guide-words").querySelector("dl").replaceChildren(...words(frame, mayAct).map(explain));
}

function recede(number) {
  for (const [id, hands] of Object.entries(OPEN_HANDS)) if (number === 0 || number === hands) $(id).open = number < hands;
}

// What the cards are good for, in one or two sentences.
function now(frame, mayAct) {
  if (frame.outcome || frame.end) return "";
  if (!mayAct) return t("guide.wait", { name: nameOf(1 - setup.seat) });
  const sentences = [bestCard(frame)];
  if (frame.can.calls.some((one) => one.call === "envido" && one.why_not === null)) sentences.push(envido(frame));
  if (frame.hand === RECEDES && !frame.plays.length) sentences.push(t("guide.recedes"));
  return sentences.join(" ");
}

const strength = (card) => setup.strengths.findIndex((cards) => cards.includes(card)); // the lower, the stronger
const unseen = (frame) => {
  const seen = [...frame.dealt, ...frame.plays.map((play) => play.card)];
  return setup.strengths.flat().filter((card) => !seen.includes(card));
};

function bestCard(frame) {
  const [card] = [...frame.held].sort((one, other) => strength(one) - strength(other));
  const rest = unseen(frame);
  const count = rest.filter((other) => strength(other) < strength(card)).length;
  return t(count ? "guide.best_beaten" : "guide.best_sure", { card: cardName(card), count, unseen: rest.length });
}

// Envido counts twenty and both numbers for two cards of a suit; court cards count nothing.
const value = (card) => (Number.parseInt(card, 10) > 9 ? 0 : Number.parseInt(card, 10));

export function envidoOf(cards) {
  const pairs = [[0, 1], [0, 2], [1, 2]].map((pair) => pair.map((place) => cards[place]));
  const suited = pairs.filter(([one, other]) => one.at(-1) === other.at(-1)).map(([one, other]) => 20 + value(one) + value(other));
  return Math.max(...cards.map(value), ...suited);
}

function envido(frame) {
  const rest = unseen(frame);
  const least = frame.mao === setup.seat ? frame.envido : frame.envido - 1; // ties go to the mano
  let beaten = 0;
  let hands = 0;
  for (let one = 0; one < rest.length; one++) for (let two = one + 1; two < rest.length; two++) for (let three = two + 1; three < rest.length; three++) {
    hands++;
    if (envidoOf([rest[one], rest[two], rest[three]]) <= least) beaten++;
  }
  return t("guide.envido", { points: frame.envido, share: Math.round((100 * beaten) / hands) });
}

function possible(frame, mayAct) {
  if (!mayAct) return [];
  const calls = frame.can.calls.filter((one) => one.why_not === null);
  const lines = calls.map((one) => make("li", {}, make("strong", {}, t(`call.${one.call}.label`)), `: ${t(`call.${one.call}.about`)} (${worthTitle(one)})`));
  return [...(frame.can.cards.length ? [make("li", {}, t("guide.play_card"))] : []), ...lines];
}

// All forty cards by strength: one's own framed, those that are gone faded.
function strengths(frame) {
  const gone = frame.plays.map((play) => play.card);
  return setup.strengths.map((cards) => make("span", { class: "class" }, ...cards.map((card) => {
    const state = gone.includes(card) ? "gone" : frame.held.includes(card) ? "mine" : "";
    const picture = cardPicture(card, setup.deck, state ? t(`guide.${state}`, { card: cardName(card) }) : cardName(card));
    if (state) picture.classList.add(state);
    return picture;
  })));
}

// The words that are on the screen now.
function words(frame, mayAct) {
  const calls = mayAct ? frame.can.calls.filter((one) => one.why_not === null).map((one) => one.call) : [];
  const found = [frame.waiting, ...calls.filter((call) => call !== frame.waiting), frame.hand === 0 ? "mao" : null];
  return found.filter((word) => word && has(`glossary.terms.${word}.text`)).slice(0, 4);
}

const explain = (word) => make("div", {}, make("dt", {}, t(`glossary.terms.${word}.term`)), make("dd", {}, t(`glossary.terms.${word}.text`)));
