"""The names of programs that come first."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.pages.settings.program_list import with_program, without_program
from core.api.programs import plain_name
from core.settings import MOST_PROGRAMS, RulesSettings


@pytest.mark.parametrize("typed", ["blender", "Blender ", "BLENDER.EXE"])
def test_a_program_is_in_the_list_once(typed: str) -> None:
    """However it is spelt."""
    assert with_program(("blender",), typed) == ("blender",)


@pytest.mark.parametrize("typed", ["", "  ", "/usr/bin/blender", "a\\b", "x" * 101, "a\nb"])
def test_what_is_no_name_is_refused(typed: str) -> None:
    """Neither folders nor nothing."""
    assert with_program((), typed) is None


def test_the_list_has_an_end() -> None:
    """What does not fit the settings is never asked for."""
    full = tuple(f"program-{number}" for number in range(MOST_PROGRAMS))
    assert with_program(full, "one more") is None
    assert with_program(full[1:], "one more") == (*full[1:], "one more")
    assert without_program(full, "program-0") == full[1:]


@given(st.lists(st.text(max_size=120), max_size=60))
def test_whatever_is_typed_the_settings_stay_valid(typed: list[str]) -> None:
    """And no two names are alike."""
    programs: tuple[str, ...] = ()
    for one in typed:
        programs = with_program(programs, one) or programs
    msgspec.convert({"programs": programs}, RulesSettings)
    assert len({plain_name(name) for name in programs}) == len(programs)
