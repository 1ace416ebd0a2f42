"""Tables of people's own, in and out: pandas, Polars, Arrow, numpy, dictionaries.

>>> read_columns([{"age": 30, "job": "cook"}, {"age": 41, "job": "clown"}])
{'age': [30, 41], 'job': ['cook', 'clown']}
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, TypeAlias

import numpy as np

from retruco.interfaces.extras import import_extra

if TYPE_CHECKING:
    from retruco.cbr.casebase import CaseBase

Columns: TypeAlias = dict[str, list[Any]]
"""The values of each column by its name."""
LIBRARIES: Final = ("pandas", "polars", "arrow")
OUTCOMES: Final = ("action", "credit", "episode", "question")
"""The columns of a case beside its features."""


def read_columns(frame: Any, names: Sequence[str] | None = None) -> Columns:
    """Read a data frame, an Arrow table, an array of two dimensions, a dictionary of columns or a list of rows."""
    if isinstance(frame, Mapping):
        columns = {str(name): list(values) for name, values in frame.items()}
    elif hasattr(frame, "to_pydict"):  # Arrow
        columns = frame.to_pydict()
    elif hasattr(frame, "columns"):  # pandas and Polars
        columns = {str(name): as_list(frame[name]) for name in frame.columns}
    elif isinstance(frame, Sequence) and frame and isinstance(frame[0], Mapping):
        columns = {str(name): [row[name] for row in frame] for name in frame[0]}
    else:
        columns = read_array(frame, names)
    lengths = {len(values) for values in columns.values()}
    if len(lengths) != 1:
        raise ValueError(f"a table has columns of one length, not of {sorted(lengths) or 'none'}")
    return columns


def as_list(column: Any) -> list[Any]:
    """The values of a column as plain Python values."""
    return list(column.to_list() if hasattr(column, "to_list") else column)


def read_array(frame: Any, names: Sequence[str] | None) -> Columns:
    """Read an array; its columns are called x0, x1 and so on unless they have names."""
    array = np.asarray(frame)
    if array.ndim != 2:
        raise ValueError(f"a table has two dimensions, not {array.ndim}; reshape a single row to (1, -1)")
    names = names or [f"x{place}" for place in range(array.shape[1])]
    if len(names) != array.shape[1]:
        raise ValueError(f"the table has {array.shape[1]} columns, but {len(names)} names: {list(names)}")
    return {name: array[:, place].tolist() for place, name in enumerate(names)}


def make_frame(columns: Mapping[str, Sequence[Any]], library: str = "pandas") -> Any:
    """Make a data frame or an Arrow table of some columns.

    >>> make_frame({"age": [30, 41]}, "excel")
    Traceback (most recent call last):
    ...
    ValueError: unknown kind of table 'excel': one of pandas, polars, arrow
    """
    if library not in LIBRARIES:
        raise ValueError(f"unknown kind of table {library!r}: one of {', '.join(LIBRARIES)}")
    if library == "arrow":
        return import_extra("pyarrow", "frames").table(dict(columns))
    return import_extra(library, "frames").DataFrame(dict(columns))


def case_frame(base: CaseBase, scenario: str, library: str = "pandas") -> Any:
    """The rows of a scenario of a case base: its features, and what was done and gained."""
    visible, _, actions, credit, episodes, questions = base.columns(scenario)
    description = base.vocabulary[scenario]
    columns: Columns = {
        feature.name: [feature.decode(code) for code in visible[:, place].tolist()]
        for place, feature in enumerate(description.visible)
    }
    columns["action"] = [description.actions[action] for action in actions.tolist()]
    columns |= {"credit": credit.tolist(), "episode": episodes.tolist(), "question": questions.tolist()}
    mixed = [name for name, values in columns.items() if len({type(value) for value in values}) > 1]
    for name in mixed:  # numbers and words, such as 12 and absent: data frames want one type
        columns[name] = [str(value) for value in columns[name]]
    return make_frame(columns, library)


def add_frame(base: CaseBase, scenario: str, frame: Any) -> int:
    """Add the rows of a table, with the columns of `case_frame`, to a base; return how many there were.

    Scenarios whose rows hold hindsight are refused: a table of features does not say it.
    """
    from retruco.cbr.case import Row

    description, columns = base.vocabulary[scenario], read_columns(frame)
    names = [feature.name for feature in description.visible]
    if description.hindsight:
        raise ValueError(f"rows of {scenario} hold hindsight, which a table of features does not have")
    if missing := [name for name in (*names, *OUTCOMES) if name not in columns]:
        raise ValueError(f"the table lacks {', '.join(missing)}: it has {', '.join(columns)}")
    values = [
        [read_value(feature.values, value) for value in columns[feature.name]]
        for feature in description.visible
    ]
    outcomes = zip(*(columns[name] for name in OUTCOMES), strict=True)
    rows = [
        Row(
            description.problem(dict(zip(names, row, strict=True))),
            str(action),
            int(credit),
            (),
            int(episode),
            int(question),
        )
        for row, (action, credit, episode, question) in zip(zip(*values, strict=True), outcomes, strict=True)
    ]
    base.add(rows)
    return len(rows)


def read_value(known: Sequence[Any], value: Any) -> Any:
    """A value of a feature as the feature writes it: a number may come as text."""
    return next((each for each in known if str(each) == str(value)), value)
