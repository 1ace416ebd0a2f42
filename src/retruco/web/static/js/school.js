// Beside one's pupil: its question, and the cases that the lesson has brought.
import { $, make } from "./dom.js";
import { get } from "./line.js";
import { actionName, setup, t } from "./words.js";

export const teaching = setup.kind === "lesson";
let counted = -1;

export function schoolShown(frame, mayAct, act) {
  if (!teaching) return;
  const asks = mayAct ? frame.asks : null;
  $("question-now").textContent = asks
    ? t("teach.asks", { about: t(`why.scenario.${asks.scenario}`) })
    : t(frame.end ? "teach.over" : "teach.plays");
  $("propose").hidden = !asks;
  if (asks) {
    $("propose").textContent = t("teach.propose", { action: actionName(asks.proposed) });
    $("propose").onclick = () => act(asks.proposed);
  }
  const hands = frame.hand + (frame.outcome ? 1 : 0);
  if (hands !== counted) {
    counted = hands;
    drawCases();
  }
}

async function drawCases() {
  try {
    const { cases } = await get("/taught");
    $("lesson-count").textContent = t("teach.cases", { count: cases.length });
    $("lesson-cases").replaceChildren(...cases.map(one));
  } catch (error) {
    $("lesson-count").textContent = error.message;
  }
}

function one(kept) {
  const title = `${t("table.hand", { number: kept.hand + 1 })} · ${t(`stage.${kept.stage}`)} · ${t("teach.case", { number: kept.number })}`;
  return make("li", { class: "lesson-case" }, make("strong", {}, title), ...kept.questions.flatMap(question));
}

function question(asked) {
  const facts = asked.query.map((item) => make("div", {}, make("dt", {}, item.name), make("dd", {}, item.value)));
  return [make("p", {}, `${asked.title} `, make("strong", {}, asked.answer), ` (${asked.points > 0 ? "+" : ""}${asked.points})`), make("dl", {}, ...facts)];
}
