"""`examples/bot.mjs` plays every game at a real server, with Node.js and nothing else."""

import re
import subprocess
from pathlib import Path

import pytest
import serving
from serving import RealServer

server = serving.server

ROOT = Path(__file__).parents[2]
BOT = ROOT / "examples" / "bot.mjs"


def test_the_docs_quote_the_bot_as_it_is() -> None:
    quoted = re.findall(r"```js\n(.*?)```", (ROOT / "docs" / "bots.md").read_text(), re.DOTALL)
    assert quoted[-1] in BOT.read_text()


def run_bot(node: str, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([node, str(BOT), *words], capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.parametrize(
    ("game", "opponent", "target", "teams"),
    [
        ("holdem", "rulebot", 20, 2),
        ("holdem", "rulebot,simplebot,random", 5, 4),
        ("euchre", "random", 3, 2),
        ("kuhn", "random", 12, 2),
        ("truco", "easy", 6, 2),
    ],
)
def test_the_bot_plays_a_match(
    server: RealServer, node: str, game: str, opponent: str, target: int, teams: int
) -> None:
    done = run_bot(node, server.address, game, opponent, str(target))
    assert done.stderr == ""
    assert re.fullmatch(rf"(won|lost|drawn)( -?\d+){{{teams}}}, played\n", done.stdout)


def test_the_bot_says_what_the_server_refuses(server: RealServer, node: str) -> None:
    done = run_bot(node, server.address, "holdem", "nobody")
    assert done.returncode == 1
    assert "nobody" in done.stderr
