// Quick phrases between people: said with a button, shown in the reader's language.
import { $ } from "./dom.js";
import { post } from "./line.js";
import { nameOf, t } from "./words.js";

export function bindPhrases(notice) {
  $("phrases")?.addEventListener("click", async (event) => {
    const { phrase } = event.target.dataset;
    if (!phrase) return;
    $("phrases").open = false;
    await post("/phrase", { phrase }).catch((error) => notice(error.message));
  });
}

export const saidText = ({ seat, phrase }) => t("people.said", { name: nameOf(seat), words: t(`people.phrase.${phrase}`) });
