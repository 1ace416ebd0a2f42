"""How an agent plays, in a sentence of the reader's language."""

from __future__ import annotations

from typing import Final

from retruco.agents.truco.policies import OF_2019, TWENTY
from retruco.web.core.i18n import Texts

VARIANTS: Final = {"": (), "raw": ("agent.literal",), "sound": ("agent.sound",)}
"""What is said of a policy by the end of its name."""


def style_of(name: str, plain: str, texts: Texts) -> str:
    """Say how an agent plays; one that the texts do not know is told as it tells itself.

    >>> from retruco.web.core.i18n import texts
    >>> style_of("MJS", "", texts("en"))
    'Remembers similar hands and goes by what most did.'
    """
    if texts.has(f"agent.{name}"):
        return texts(f"agent.{name}")
    if name == "guarded-majority":
        return texts("agent.guarded")
    if name in OF_2019:
        return f"{_policy(OF_2019[name], texts)} {texts('agent.of_2019')}"
    policy, _, variant = name.partition("-")
    if policy in TWENTY and variant in VARIANTS:
        return " ".join([_policy(policy, texts), *map(texts, VARIANTS[variant])])
    return plain


def _policy(name: str, texts: Texts) -> str:
    """Read a policy's name: one criterion, or one for the group and one within it."""
    first, _, rest = name.removesuffix("S").partition("C")
    about = texts(f"why.criterion.{first}.about")
    if "C" not in name:
        return texts("agent.remembers_one", what=about)
    return texts("agent.remembers_two", first=about, second=texts(f"why.criterion.{rest or first}.about"))
