// Asked once, after a match: may the hands be kept?
import { $ } from "./dom.js";
import { post } from "./line.js";

export function askConsent() {
  if ($("consent")) $("consent").hidden = false;
}

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
