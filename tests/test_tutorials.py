"""Every tutorial followed to the letter; they share one data folder, as one reader's would."""

from pathlib import Path

import pytest

from tutorials import blocks_of, follow

TUTORIALS = Path(__file__).parent.parent / "docs" / "tutorials"
PAGES = sorted(page.stem for page in TUTORIALS.glob("*.md") if page.stem != "index")

pytestmark = [pytest.mark.slow, pytest.mark.documentation]


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("home")


@pytest.mark.parametrize("name", PAGES)
def test_a_tutorial_prints_what_it_promises(name: str, home: Path, tmp_path: Path) -> None:
    page = TUTORIALS / f"{name}.md"
    languages = [language for language, _ in blocks_of(page)]
    assert languages.count("sh") >= 3
    assert languages.count("text") >= 2
    follow(page, tmp_path, home)


def test_there_are_six_tutorials_and_the_index_lists_them() -> None:
    index = (TUTORIALS / "index.md").read_text()
    assert len(PAGES) == 6
    assert all(f"({name}.md)" in index for name in PAGES)
