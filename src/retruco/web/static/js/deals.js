// The deals of a match drawn once more, from the server's secrets and the clients' contributions, as docs/web.md tells.
import { hex } from "./contribute.js";

const MASK = (1n << 64n) - 1n;
const RANKS = [1, 2, 3, 4, 5, 6, 7, 10, 11, 12];
const DECK = [..."eboc"].flatMap((suit) => RANKS.map((rank) => `${rank}${suit}`));

const bytes = (text) => new TextEncoder().encode(text);

export const sha256 = async (text) => hex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes(text))));

// The key of a match, for HMAC: the SHA-256 of all shares, a line each.
export async function keyOf(shares) {
  const text = shares.map((one) => `${one.secret} ${one.contribution}`).join("\n");
  const digest = await crypto.subtle.digest("SHA-256", bytes(text));
  return crypto.subtle.importKey("raw", digest, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
}

// Numbers of 64 bits, one after the other, for a purpose.
function chance(key, purpose) {
  let count = 0;
  return async () => {
    const signed = await crypto.subtle.sign("HMAC", key, bytes(`${purpose} ${count++}`));
    return new DataView(signed).getBigUint64(0);
  };
}

// A number below a count, each equally likely.
async function below(draw, count) {
  const whole = BigInt(count);
  const limit = (MASK + 1n) - ((MASK + 1n) % whole);
  let drawn = await draw();
  while (drawn >= limit) drawn = await draw();
  return Number(drawn % whole);
}

export const firstOf = (key) => below(chance(key, "first"), 2);

// The deal of a hand: six of forty cards, each drawn from those that are left.
export async function dealOf(key, hand) {
  const draw = chance(key, `deal ${hand}`);
  const pool = [...DECK];
  for (let place = 0; place < 6; place++) {
    const other = place + await below(draw, pool.length - place);
    [pool[place], pool[other]] = [pool[other], pool[place]];
  }
  return `${pool.slice(0, 3).join(" ")} / ${pool.slice(3, 6).join(" ")}`;
}
