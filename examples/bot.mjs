// A bot for any game of a Retruco server, with Node 18 or later and nothing else:
//
//     node bot.mjs http://127.0.0.1:8321 holdem rulebot 20
//
// plays 20 hands of hold'em against rulebot. In hold'em it raises good cards and folds bad ones;
// in other games it plays any legal action. Replace `decide` with your own.

const [server, game = "holdem", opponent = "random", target] = process.argv.slice(2);
const RANKS = "23456789TJQKA";
let token = "";

async function ask(method, path, body) {
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const answer = await fetch(`${server}/api/bots${path}`, { method, headers, body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
  return answer.json();
}

function decide(seen) {
  if (seen.game === "holdem") return decideHoldem(seen);
  return seen.legal[Math.floor(Math.random() * seen.legal.length)];
}

function decideHoldem({ hole, board, legal, pot, to_call }) {
  const ranks = hole.map((card) => RANKS.indexOf(card[0]));
  const hasPair = ranks[0] === ranks[1] || board.some((card) => ranks.includes(RANKS.indexOf(card[0])));
  const isHigh = board.length === 0 && Math.min(...ranks) >= RANKS.indexOf("T");
  const isCheap = to_call * 6 <= pot;
  const wanted = hasPair || isHigh ? ["raise", "bet", "call", "check"] : ["check", isCheap ? "call" : "fold"];
  return wanted.find((action) => legal.includes(action));
}

({ token } = await ask("POST", "", { name: "bot.mjs" }));
const { match } = await ask("POST", "/matches", { game, opponent, target: target ? Number(target) : null });
let turn;
while ((turn = await ask("GET", `/matches/${match}/turn?wait=25`)).state !== "over") {
  if (!turn.your_turn) continue;
  await ask("POST", `/matches/${match}/act`, { number: turn.number, action: decide(turn.seen) });
}

const team = turn.seat % turn.scores.length; // partners sit across the table
const { winner, ending } = turn.end;
const result = winner === null ? "drawn" : winner === team ? "won" : "lost";
console.log(`${result} ${turn.scores.join(" ")}, ${ending}`);
