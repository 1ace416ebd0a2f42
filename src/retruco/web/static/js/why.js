// The evidence of a decision: the sentence, the questions, the votes, the similar cases.
import { cardPicture, make } from "./dom.js";
import { actionName, cardName, setup, t } from "./words.js";

const percent = (share) => `${(100 * share).toFixed(share === 1 ? 0 : 1)} %`;
const answer = (one) => (one === null ? "–" : actionName(one));

// First in plain words, with pictures of similar hands; votes, groups and measures are folded away.
export function drawWhy(why) {
  const asked = why.asked.filter((one) => one.count || one.query.length);
  return [make("p", { class: "sentence" }, why.plain), ...similarHands(asked.at(-1)), forResearchers(why, asked)];
}

const PICTURES = 4;

function similarHands(one) {
  const hands = (one?.cases ?? []).filter((item) => item.cards.length).slice(0, PICTURES);
  if (!hands.length) return [];
  return [make("h3", {}, t("why.similar_hands")), make("ul", { class: "similar" }, ...hands.map((item) => make("li", {},
    make("span", { class: "small-hand" }, ...item.cards.map((card) => cardPicture(card, setup.deck, cardName(card)))),
    make("span", {}, `${answer(item.action)} `, make("strong", {}, signed(item.points))))))];
}

function forResearchers(why, asked) {
  const revisions = why.revisions.map((one) => make("p", { class: "revision" }, make("strong", {}, t(`why.rule.${one.rule}.name`)),
    ` ${t("why.rule_changed", { before: answer(one.before), after: answer(one.after) })}`));
  return make("details", { class: "researchers" }, make("summary", {}, t("why.researchers")),
    make("p", {}, why.sentence), ...revisions, ...asked.map((one, place) => question(one, place === asked.length - 1)));
}

const adaptations = (one) => one.adapted.map(([before, after]) => make("p", { class: "small" },
  t("why.counts_as", { before: answer(before), after: answer(after) })));

function question(one, open) {
  return make("details", { open, class: "question" },
    make("summary", {}, `${one.title} ${answer(one.answer)}`),
    ...(one.count ? [found(one), ...adaptations(one), votes(one), ...groups(one), cases(one)] : [make("p", {}, t("why.nothing_found"))]));
}

const found = (one) => make("p", { class: "small" }, t("why.found", { count: one.count, percent: percent(one.least) }));

const wide = (...parts) => make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("why.votes") }, ...parts);

function votes(one) {
  const most = Math.max(...one.actions.map((item) => item.count));
  return wide(make("table", { class: "votes" },
    head("why.answer", "why.votes", "why.wins", "why.points", "why.score"),
    make("tbody", {}, ...one.actions.map((item) => make("tr", { class: item.item === one.proposed ? "chosen" : null },
      make("th", { scope: "row" }, answer(item.item)),
      make("td", {}, make("meter", { min: 0, max: most, value: item.count }), ` ${item.count}`),
      make("td", {}, percent(item.won / item.count)),
      make("td", {}, signed(item.points)),
      make("td", {}, item.score === null ? "" : item.score.toFixed(2)))))));
}

function groups(one) {
  if (!one.clusters.length) return [];
  return [wide(make("table", { class: "votes" },
    head("why.group_column", "why.votes", "why.wins", "why.points", "why.score"),
    make("tbody", {}, ...one.clusters.map((item) => make("tr", { class: Number(item.item) === one.cluster ? "chosen" : null },
      make("th", { scope: "row" }, String(Number(item.item) + 1)),
      make("td", {}, String(item.count)),
      make("td", {}, percent(item.won / item.count)),
      make("td", {}, signed(item.points)),
      make("td", {}, item.score === null ? "" : item.score.toFixed(2)))))))];
}

const signed = (points) => (points > 0 ? `+${points}` : String(points).replace("-", "−"));

const head = (...keys) => make("thead", {}, make("tr", {}, ...keys.map((key) => make("th", { scope: "col" }, t(key)))));

// Every case beside the query, attribute by attribute: the paler a cell, the less alike.
function cases(one) {
  const names = one.query.map((item) => make("th", { scope: "col" }, item.name));
  const query = make("tr", { class: "query" }, make("th", { scope: "row" }, t("why.now")),
    ...one.query.map((item) => make("td", {}, item.value)), make("td", {}, "?"), make("td", {}), make("td", {}), make("td", {}));
  const rows = one.cases.map((item) => make("tr", {}, make("th", { scope: "row" }, item.case),
    ...item.parts.map(part), make("td", {}, answer(item.action)), make("td", {}, signed(item.points)),
    make("td", {}, one.clusters.length ? String(item.cluster + 1) : ""), make("td", { class: "alike" }, percent(item.similarity))));
  return make("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": t("why.by_attribute") },
    make("table", { class: "cases" },
      make("thead", {}, make("tr", {}, make("th", { scope: "col" }, t("why.case_column")), ...names,
        ...["why.did", "why.points", "why.group_column", "why.alike"].map((key) => make("th", { scope: "col" }, t(key))))),
      make("tbody", {}, query, ...rows)));
}

function part(one) {
  const level = one.similarity === 1 ? "same" : one.similarity >= 0.9 ? "near" : one.similarity > 0 ? "far" : "unlike";
  return make("td", { class: level, title: percent(one.similarity) }, one.value);
}

// What each of the twenty would have played: by answer, the most given first.
export function drawOthers({ played, answers }) {
  const by = new Map();
  for (const one of answers) by.set(one.action, [...(by.get(one.action) ?? []), one]);
  const sorted = [...by].sort((a, b) => b[1].length - a[1].length);
  return sorted.map(([action, ones]) => make("details", { class: `would${action === played ? " played" : ""}` },
    make("summary", {}, make("strong", {}, actionName(action)), ` · ${ones.length} / ${answers.length}`,
      action === played ? make("em", {}, ` ${t("replay.as_played")}`) : null),
    make("ul", {}, ...ones.map((one) => make("li", {}, make("strong", {}, one.agent), `: ${one.sentence}`)))));
}

