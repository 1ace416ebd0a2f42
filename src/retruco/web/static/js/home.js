// The front page: the style of the chosen opponent, the target of the chosen rules.
const $ = (id) => document.getElementById(id);

$("opponent").addEventListener("change", () => {
  $("style").textContent = $("opponent").selectedOptions[0].dataset.style;
});

$("rules").addEventListener("change", () => {
  $("target").placeholder = $("rules").selectedOptions[0].dataset.target;
});

$("chips").addEventListener("click", (event) => {
  const chosen = event.target.dataset.target;
  if (chosen) $("target").value = chosen;
});
