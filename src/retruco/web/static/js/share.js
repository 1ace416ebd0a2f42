// A hand to share: its picture saved as PNG by the browser itself, and the link in the clipboard.
import { $ } from "./dom.js";

$("link").value = new URL($("link").value, location.href).href;
$("png").hidden = false;
$("copy").hidden = false;

$("png").addEventListener("click", async () => {
  await $("picture").decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [1200, 630];
  canvas.getContext("2d").drawImage($("picture"), 0, 0, 1200, 630);
  const blob = await new Promise((done) => canvas.toBlob(done, "image/png"));
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = $("png").dataset.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
});

$("copy").addEventListener("click", async () => {
  $("link").select();
  await navigator.clipboard?.writeText($("link").value);
  $("copied").textContent = $("copied").dataset.text;
});
