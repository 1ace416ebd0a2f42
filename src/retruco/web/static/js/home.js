// The front page: the style of the chosen opponent, the target of the chosen rules.
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
