// Spectators of one's own match: how many there are, and whether they may watch.
import { $ } from "./dom.js";
import { post } from "./line.js";
import { setup, t } from "./words.js";

export function bindSpectators(notice) {
  $("let-watch")?.addEventListener("change", async () => {
    try {
      spectatorsShown(await post("/spectators", { allow: $("let-watch").checked }));
    } catch (error) {
      $("let-watch").checked = !$("let-watch").checked;
      notice(error.message);
    }
  });
}

export function spectatorsShown({ watch_seats: seats, may_watch: may, watchers: count }) {
  if (!$("spectators")) return;
  $("watchers").textContent = t("people.watchers", { count });
  $("let-watch").checked = seats.includes(setup.seat);
  $("watch-state").firstChild.textContent = `${t(may ? "people.watch_open" : "people.watch_waits")} `;
  $("watch-link").hidden = !may;
}
