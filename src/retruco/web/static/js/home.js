// The front page: the style of the chosen opponent, the target of the chosen rules, the lobby as it is now.
const LOBBY_PAUSE = 5000;
const $ = (id) => document.getElementById(id);

for (const [select, line] of [["person", "person-style"], ["opponent", "style"]]) {
  $(select).addEventListener("change", () => {
    $(line).textContent = $(select).selectedOptions[0].dataset.style;
  });
}

$("rules").addEventListener("change", () => {
  $("target").placeholder = $("rules").selectedOptions[0].dataset.target;
});

$("chips").addEventListener("click", (event) => {
  const chosen = event.target.dataset.target;
  if (chosen) $("target").value = chosen;
});

// The drawing is made by our own template, in which everything from outside is escaped.
async function refreshLobby() {
  if (document.hidden || $("lobby-now").contains(document.activeElement)) return;
  const answer = await fetch("/lobby", { credentials: "same-origin" }).catch(() => null);
  const html = answer?.ok ? await answer.text() : null;
  if (html !== null && html !== shownLobby) $("lobby-now").innerHTML = html;
  shownLobby = html ?? shownLobby;
}

let shownLobby = null;
setInterval(refreshLobby, LOBBY_PAUSE);
