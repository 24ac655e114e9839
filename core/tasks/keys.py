"""The form in which a puzzle's own answer stands: the one that its prompt asks for.

The library's generators write some keys otherwise than their prompts want answers written. Only the
form is changed here; items whose key is wrong are passed over by ``core.tasks.soundness``.
"""

from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_UP, Context, Decimal
from typing import Any

from core.tasks.soundness import Item

_THREE_FIGURES = Context(prec=3, rounding=ROUND_HALF_UP)
_MANY_FIGURES = Context(prec=60)


def key_of(dataset: str, item: Item) -> str:
    """The right answer to ``item`` of ``dataset``, as its prompt asks for it."""
    form = _FORMS.get(dataset)
    return str(item["answer"]) if form is None else form(item)


def _plain_decimal(item: Item) -> str:
    """Digits only: 1200, never 1.2E+3."""
    return format(Decimal(item["answer"]), "f")


def _without_full_stop(item: Item) -> str:
    """The prompt's own pattern for the answer ends without one."""
    return str(item["answer"]).removesuffix(".")


def _three_figures(item: Item) -> str:
    """The power to three significant figures, as 1.23e+4; the library gives all that it has."""
    facts: Mapping[str, Any] = item["metadata"]
    value = _MANY_FIGURES.power(Decimal(repr(facts["base"])), int(facts["exponent"]))
    rounded = _THREE_FIGURES.plus(value)
    return f"{_MANY_FIGURES.scaleb(rounded, -rounded.adjusted()):.2f}e{rounded.adjusted():+d}"


_FORMS: Mapping[str, Callable[[Item], str]] = {
    "decimal_arithmetic": _plain_decimal,
    "decimal_chain_sum": _plain_decimal,
    "knights_knaves": _without_full_stop,
    "power_function": _three_figures,
}
