"""The notebooks of the documentation run, and print what is kept in them."""

from pathlib import Path

import pytest

from run_notebooks import NOTEBOOKS, printed, read_notebook, run_notebook

pytestmark = [pytest.mark.slow, pytest.mark.documentation]


@pytest.mark.parametrize("file", NOTEBOOKS, ids=lambda file: file.stem)
def test_a_notebook_prints_what_is_kept_in_it(file: Path) -> None:
    assert printed(run_notebook(file)) == printed(read_notebook(file))


def test_there_are_three_notebooks() -> None:
    assert len(NOTEBOOKS) == 3
