"""What core says, in every language."""

import re

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication

from app.text.core_words import CATALOGUE, CONTEXT, listed, spoken, swarm_words, without
from app.text.translation import LANGUAGES
from core.api.events import SwarmChanged
from core.i18n import Remark, together, translatable
from core.settings import Language
from tests.app.languages import speaking, translator
from tests.translating import fixed_texts, listed_texts

WORD = re.compile(r"[a-z]{3}")
"""Texts without one, such as ``{}, {}`` and ``{} MB``, may be the same in all languages."""


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_that_core_can_say_has_words(language: Language) -> None:
    """Every fixed text in core, and every word of the lists that Waggle comes with."""
    own = translator(language)
    texts = [(CONTEXT, text) for text in fixed_texts()] + [(CATALOGUE, t) for t in listed_texts()]
    assert len(texts) > 300
    made = {text: own.translate(context, text) for context, text in texts}
    assert not {text for text, words in made.items() if not words}
    assert not {text for text, words in made.items() if words == text and WORD.search(text)}


def test_what_was_said_is_spoken_in_german(qapp: QApplication) -> None:
    """With what was said within; what core did not foresee stays as it is."""
    loading = translatable("{}…", translatable("Waking the model up"))
    assert spoken(loading) == "Waking the model up…"
    with speaking(qapp, "de"):
        assert spoken(loading) == "Das Modell wird geweckt…"
        assert spoken(together(translatable("learning"), "so to say")) == "lernt so to say"
        assert spoken("plain words") == "plain words"


def test_a_strangers_words_play_no_tricks(qapp: QApplication) -> None:
    """Neither as a part of what is said, nor as they are, nor in a list."""
    nasty = "a\u202eb\x1b[2J\u2066\U000e0041"
    with speaking(qapp, "de"):
        told = [
            spoken(translatable("{}…", nasty)),
            spoken(nasty),
            listed(nasty),
            without(nasty, "x"),
        ]
    assert {words.rstrip("…") for words in told} == {"a\ufffdb\ufffd[2J\ufffd\ufffd"}


def test_what_came_through_a_pipe_is_spoken(qapp: QApplication) -> None:
    """By its remarks; its words are for who reads English."""
    alone = SwarmChanged(reachable=False, peers=0, words="x")
    told = replace(alone, remarks=(Remark("untouched for {} s", ("3",)),))
    with speaking(qapp, "de"):
        assert swarm_words(told) == "unberührt seit 3 s"
        assert swarm_words(alone) == "x"


def test_what_is_said_elsewhere_can_be_left_out(qapp: QApplication) -> None:
    """In every language, and from plain words, too."""
    words = together(translatable("Nobody else is here yet."), translatable("Practising alone."))
    with speaking(qapp, "de"):
        assert without(words, "Nobody else is here yet.") == "Übt allein."
    assert without("Nobody else is here yet. So.", "Nobody else is here yet.") == "So."
    assert without(translatable("Nobody else is here yet."), "Nobody else is here yet.") == ""


def test_a_strangers_name_stays_as_it_is(qapp: QApplication) -> None:
    """Only our own lists are translated."""
    with speaking(qapp, "de"):
        assert listed("Multiply") == "Multiplizieren"
        assert listed("somebody/Multiply") == "somebody/Multiply"
        assert listed("") == ""
