// Asked once, plainly: may the hands be kept? The match goes on meanwhile.
import { $ } from "./dom.js";
import { post } from "./line.js";

export function bindConsent(notice) {
  if (!$("consent")) return;
  for (const [id, agrees] of [["consent-yes", true], ["consent-no", false]]) {
    $(id).addEventListener("click", async () => {
      try {
        await post("me/consent", { agrees });
        $("consent").remove();
      } catch (error) {
        notice(error.message);
      }
    });
  }
}
