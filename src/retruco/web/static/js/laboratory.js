// The jobs of the laboratory: how far they are, and a way to stop them.
import { $ } from "./dom.js";
import { setup, t } from "./words.js";

const LOOKS = 1000;

async function ask(path, method = "GET") {
  const answer = await fetch(`/api/laboratory/${path}`, {
    method, credentials: "same-origin", headers: { "X-Form-Key": setup.form_key },
  });
  const body = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(body.message ?? String(answer.status));
  return body;
}

function draw(line, job) {
  line.dataset.state = job.state;
  line.querySelector("progress").max = job.progress.all || 1;
  line.querySelector("progress").value = job.progress.done;
  line.querySelector(".state").textContent = [t(`laboratory.state_${job.state}`),
    `${job.progress.done} / ${job.progress.all}`, job.progress.told, job.told].join(" ");
  line.querySelector(".cancel").hidden = job.state !== "running";
  line.querySelector(".report").hidden = !job.report;
}

async function follow(line) {
  while (line.dataset.state === "running") {
    try {
      draw(line, await ask(`jobs/${line.dataset.job}`));
    } catch (error) {
      $("notice").textContent = error.message;
    }
    await new Promise((done) => setTimeout(done, LOOKS));
  }
}

for (const line of document.querySelectorAll("[data-job]")) {
  line.querySelector(".cancel").addEventListener("click", async () => {
    try {
      draw(line, await ask(`jobs/${line.dataset.job}/cancel`, "POST"));
    } catch (error) {
      $("notice").textContent = error.message;
    }
  });
  follow(line);
}
