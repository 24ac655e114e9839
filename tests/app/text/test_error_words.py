"""What went wrong, in the person's language."""

import inspect
from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication

from app.text.error_words import _LEADS, explain, explain_error, told
from core import errors
from core.api.requests import Refused, done, refused
from core.errors import DiskFullError, ModelError, WaggleError
from core.i18n import translatable
from tests.app.languages import speaking

ENGLISH = "Something nobody foresaw. Try again."


@pytest.fixture
def german(qapp: QApplication) -> Iterator[None]:
    with speaking(qapp, "de"):
        yield


def test_every_kind_of_error_has_a_sentence() -> None:
    """By the names of all classes in the tree."""
    kinds = [
        name
        for name, kind in inspect.getmembers(errors, inspect.isclass)
        if issubclass(kind, WaggleError) and kind is not WaggleError
    ]
    assert sorted(_LEADS) == sorted(kinds)


def test_who_reads_english_reads_the_words_alone() -> None:
    """No lead before what says it all."""
    assert explain(ENGLISH, "ModelError") == ENGLISH
    assert explain_error(ModelError(ENGLISH)) == ENGLISH
    assert told(refused(ModelError(ENGLISH))) == ENGLISH


def test_an_error_of_a_stranger_plays_no_tricks() -> None:
    """Such as what a server answered."""
    assert explain("It says \u202eolleh\x07.", "SwarmError") == "It says \ufffdolleh\ufffd."


@pytest.mark.usefixtures("german")
def test_words_in_english_follow_a_sentence_in_german() -> None:
    """What nobody foresaw is not hidden; an unknown kind is told, too."""
    lead = "Das Modell kann so nicht benutzt werden."
    assert explain(ENGLISH, "ModelError") == f"{lead}\n{ENGLISH}"
    assert told(Refused(words=ENGLISH, kind="ModelError")) == f"{lead}\n{ENGLISH}"
    assert explain(ENGLISH) == f"Etwas hat nicht geklappt.\n{ENGLISH}"
    assert explain("", "ModelError") == ""


@pytest.mark.usefixtures("german")
def test_what_was_foreseen_is_german_alone() -> None:
    """Whether a request, the window or the engine met it."""
    error = DiskFullError(
        translatable("The disk that holds {} is full. Free some space and {}.", "x", "y")
    )
    words = "Der Datenträger mit x ist voll. Schaff etwas Platz und y."
    assert explain_error(error) == words
    assert told(refused(error)) == words


@pytest.mark.usefixtures("german")
def test_what_went_well_is_told_too() -> None:
    """In German where core foresaw it."""
    assert told(done(translatable("installed"))) == "installiert"
    assert told(done("fine")) == "fine"
