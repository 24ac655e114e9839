"""Names of programs cross the pipe unharmed."""

import pytest

from core.api.pipe import encode
from core.api.programs import ListPrograms, ProgramsListed, plain_name
from core.api.protocol import decode_answer, decode_request
from core.errors import WireError


def test_question_and_answer_come_back_equal() -> None:
    """Blanks and foreign letters included."""
    assert decode_request(encode(ListPrograms(id=3))) == ListPrograms(id=3)
    listed = ProgramsListed(id=3, names=("Grand Theft.exe", "ブレンダー"))
    assert decode_answer(encode(listed)) == listed


@pytest.mark.parametrize("name", ["", "a/b", "a\nb", "x" * 101])
def test_what_could_be_no_rule_is_refused(name: str) -> None:
    """The window can put every name that it hears into the settings."""
    with pytest.raises(WireError):
        decode_answer(encode(ProgramsListed(names=(name,))))


@pytest.mark.parametrize("name", ["Blender", " blender ", "BLENDER.EXE", "blender.exe"])
def test_a_program_is_known_by_any_spelling(name: str) -> None:
    """Nobody has to know how the system writes it."""
    assert plain_name(name) == "blender"
