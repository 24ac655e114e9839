"""What was found, and what of it matters."""

from core.api.maintenance import Finding
from core.errors import SwarmError
from core.i18n import Remark, translatable
from core.services.findings import is_sound, look_at


def test_what_goes_wrong_is_a_finding() -> None:
    """Its sentence says what happened; the doctor goes on."""

    def fail() -> str:
        raise SwarmError("No network. Join one.")

    assert look_at("net", lambda: "fine") == Finding("net", ok=True, words="fine")
    found = Finding("net", ok=False, words="No network. Join one.", kind="SwarmError")
    assert look_at("net", fail) == found
    assert look_at("net", fail, needed=False).mark == "note"


def test_what_words_were_made_from_travels_with_them() -> None:
    """So that they can be said in other languages, whether it is well or not."""

    def fail() -> str:
        raise SwarmError(translatable("No {}.", "network"))

    well = look_at("net", lambda: translatable("as in {}", "here"))
    assert (well.words, well.remarks) == ("as in here", (Remark("as in {}", ("here",)),))
    assert type(well.words) is str  # others cannot be sent
    assert look_at("net", fail).remarks == (Remark("No {}.", ("network",)),)


def test_only_what_is_needed_makes_a_computer_unsound() -> None:
    """A node practises alone, too."""
    well = Finding("a", ok=True, words="")
    pity = Finding("b", ok=False, words="", needed=False)
    bad = Finding("c", ok=False, words="")
    assert [one.mark for one in (well, pity, bad)] == ["ok  ", "note", "BAD "]
    assert is_sound([well, pity])
    assert not is_sound([well, bad])
