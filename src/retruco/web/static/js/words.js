// Sentences by key, in the language of the page; names of cards, calls and people.
const element = document.getElementById("setup");
export const setup = element ? JSON.parse(element.textContent) : { texts: {} };

export function t(key, values = {}) {
  const sentence = setup.texts[key] ?? key;
  return sentence.replace(/\{(\w+)\}/g, (place, name) => values[name] ?? place);
}

export const has = (key) => key in setup.texts;

export function cardName(card) {
  return t("card.name", { rank: t(`card.rank.${card.slice(0, -1)}`), suit: t(`card.suit.${card.at(-1)}`) });
}

// A card, a call, or one of the words by which cases are answered.
export function actionName(action) {
  if (action === "down" || action.startsWith("down:")) return t("card.down");
  if (has(`call.${action}.label`)) return t(`call.${action}.label`);
  if (has(`why.answer_word.${action}`)) return t(`why.answer_word.${action}`);
  return /^\d+[eboc]$/.test(action) ? cardName(action) : action;
}

export const isCall = (action) => has(`call.${action}.say`);
export const says = (action) => t(`call.${action}.say`);
export const nameOf = (seat) => setup.names[seat];

// One thing that happened, as a sentence; the reader is "you".
export function eventText(event) {
  const name = nameOf(event.seat);
  const key = (what) => `event.${event.seat === setup.me ? "you" : "other"}.${what}`;
  if ("announced" in event) return t(key(`announced_${event.stage}`), { name, points: event.announced });
  if ("awarded" in event) return t(key(`awarded_${event.stage}`), { name, points: event.awarded });
  if (event.action.startsWith("down")) return t(key("down"), { name });
  if (isCall(event.action)) return t(key("said"), { name, words: says(event.action) });
  return t(key("played"), { name, card: cardName(event.action) });
}
