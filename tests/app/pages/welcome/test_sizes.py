"""Which sizes are offered, and what is said about them."""

import pytest
from msgspec.structs import replace

from app.pages.welcome.sizes import at_hand, options
from app.state.model_choices import ModelChoice
from core.api.models import FitSeen, ListedModel, Presence, Verdict
from tests.fake_actions import EMBER, SPARK


def listed(
    name: str, presence: Presence = "available", verdict: Verdict = "fits", *, gated: bool = False
) -> ListedModel:
    fit = FitSeen(verdict=verdict, need=3_100_000_000, have=2_400_000_000, device="cpu")
    return ListedModel(
        id=name,
        title=name,
        sentence="",
        presence=presence,
        parameters=135_000_000,
        download=270_000_000,
        came_in=70_000_000 if presence == "partly" else 0,
        fit=fit,
        gated=gated,
    )


def test_what_is_here_needs_nothing_looked_up() -> None:
    """In the order of the catalogue; they work offline."""
    found = at_hand((SPARK, EMBER))
    assert [one.id for one in found] == ["spark", "ember"]
    assert found[0].facts == "made of 1.5 million numbers · works offline"
    assert found[0].is_here


def test_a_size_that_is_not_known_is_left_out() -> None:
    """Such as that of a model that was fetched by its name, before the helper has looked at it."""
    own = ModelChoice(id="somebody--own", title="somebody/Own", repo="somebody/Own")
    assert at_hand((own,))[0].facts == "works offline"
    (unknown,) = options([replace(listed("a", "installed"), parameters=0)])
    assert unknown.facts == "fits · works offline"


def test_what_is_here_comes_first_then_what_fits() -> None:
    """The rest by how well it fits; equals keep their order."""
    found = options(
        [
            listed("huge", verdict="too_large"),
            listed("close", verdict="tight"),
            listed("large but here", "installed", "too_large"),
            listed("second"),
            listed("spark", "ships"),
        ]
    )
    names = [one.id for one in found]
    assert names == ["spark", "large but here", "second", "close", "huge"]


def test_each_says_what_it_takes() -> None:
    """What is still missing of a download, whether it fits, and why not."""
    (here, part, huge) = options(
        [listed("a", "installed"), listed("b", "partly"), listed("c", verdict="too_large")]
    )
    assert here.facts.endswith("fits · works offline")
    assert here.reason == ""
    assert part.facts.endswith("fits · 200\u00a0MB to download")
    assert "too large" in huge.facts
    assert "3.1\u00a0GB" in huge.reason
    assert "2.4\u00a0GB" in huge.reason


@pytest.mark.parametrize(
    ("model", "may"),
    [
        (listed("a"), True),
        (listed("a", verdict="tight"), True),
        (listed("a", verdict="too_large"), False),
        (listed("a", "installed", "too_large"), True),
        (listed("a", gated=True), False),
        (listed("a", "installed", gated=True), True),
    ],
)
def test_what_would_not_work_cannot_be_chosen_here(model: ListedModel, *, may: bool) -> None:
    """The page Models knows ways around it; the welcome keeps it simple."""
    (found,) = options([model])
    assert found.may_be_chosen is may
    assert may or found.reason
