"""Words about skills cross the pipe no farther than their bounds."""

import pytest

from core.api.pipe import encode
from core.api.preview import MOST_LEVELS
from core.api.protocol import decode_answer, decode_request
from core.api.skills import CellSkill, KindSkill, ShowSkills, SkillsShown
from core.errors import WireError

CELL = CellSkill(base=0.25, now=0.5, swarm=1.0, tries=80.0, is_open=True)


def shown(*cells: CellSkill) -> SkillsShown:
    kind = KindSkill(task="gcd", title="Find the greatest common divisor", cells=cells)
    return SkillsShown(model="spark", round=7, kinds=(kind,), skill=0.5)


def test_it_comes_back_equal() -> None:
    """With cells of which nothing is known."""
    told = shown(CELL, CellSkill())
    assert decode_answer(encode(told)) == told


@pytest.mark.parametrize(
    "wrong", [shown(CellSkill(now=1.1)), shown(CellSkill(tries=-1)), shown(*[CELL] * 10)]
)
def test_what_is_out_of_bounds_is_no_answer(wrong: SkillsShown) -> None:
    """The map never has to shorten anything."""
    assert MOST_LEVELS == 9
    with pytest.raises(WireError):
        decode_answer(encode(wrong))


def test_a_model_without_a_name_is_no_request() -> None:
    """Nothing is looked up for nobody."""
    with pytest.raises(WireError):
        decode_request(encode(ShowSkills(model="")))
