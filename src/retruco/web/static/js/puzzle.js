// The board of a puzzle; a card on it answers like its button.
import { drawHand } from "./calls.js";
import { $ } from "./dom.js";
import { drawTable } from "./draw.js";
import { setup } from "./words.js";

const button = (card) => $("answers")?.querySelector(`[value="${card}"]`);

drawTable(setup.frame, { open: setup.open });
drawHand({ ...setup.frame, can: { cards: setup.frame.held.filter(button), down: false } }, Boolean($("answers")), (card) => button(card)?.click());
