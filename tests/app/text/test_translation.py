"""Every word of the window in every language, and nothing left over."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale, QTranslator
from PySide6.QtWidgets import QApplication

from app.text.phrases import labelled, names, series
from app.text.translation import LANGUAGES, TRANSLATIONS, translate
from core.settings import Language
from tests.translating import collect, messages, release, source_of

HOLES = re.compile(r"\{\w*\}|%\d")


@pytest.fixture
def app(qapp: QApplication) -> Iterator[QApplication]:
    """Speaks English again when the test is over."""
    before = QLocale()
    yield qapp
    for one in qapp.findChildren(QTranslator):
        qapp.removeTranslator(one)
    QLocale.setDefault(before)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_word_is_translated(language: Language, tmp_path: Path) -> None:
    """As the window says them by now: none is open, and none is left over from earlier."""
    fresh = tmp_path / "fresh.ts"
    fresh.write_bytes(source_of(language).read_bytes())
    collect(fresh, language=language)
    assert [said for _, said, words, state in messages(fresh) if state or not words] == []
    assert messages(fresh) == messages(source_of(language))


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_filled_in_is_the_same(language: Language) -> None:
    """Names of blanks are not translated, and none is lost."""
    differing = [
        said
        for _, said, words, _ in messages(source_of(language))
        if words and Counter(HOLES.findall(said)) != Counter(HOLES.findall(words))
    ]
    assert differing == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_window_reads_is_made_from_it(language: Language, tmp_path: Path) -> None:
    """The file that is shipped is the one that would be made now."""
    made = tmp_path / "made.qm"
    release(source_of(language), made)
    assert made.read_bytes() == source_of(language).with_suffix(".qm").read_bytes()


@pytest.mark.parametrize(("language", "words"), [("de", "Beenden"), ("en", "Quit")])
def test_the_language_that_was_chosen_is_spoken(
    app: QApplication, language: Language, words: str
) -> None:
    """Whatever the system speaks."""
    assert translate(app, language) == language
    assert QCoreApplication.translate("Tray", "Quit") == words


def test_marks_between_words_are_the_language_s_own(app: QApplication) -> None:
    """A Chinese line has Chinese commas and colons, and a mark of its own between names."""
    translate(app, "zh_CN")
    assert labelled("a", series(["b", "c"])) == "a\N{FULLWIDTH COLON}b\N{FULLWIDTH COMMA}c"
    assert names(["a", "b"]) == "a\N{IDEOGRAPHIC COMMA}b"


@pytest.mark.parametrize(
    ("name", "language"), [("de_AT", "de"), ("es_MX", "es"), ("zh_CN", "zh_CN"), ("fr_FR", "en")]
)
def test_the_system_s_language_is_spoken_where_it_is_known(
    app: QApplication, monkeypatch: pytest.MonkeyPatch, name: str, language: Language
) -> None:
    """English otherwise."""
    monkeypatch.setattr(QLocale, "system", lambda: QLocale(name))
    assert translate(app, "system") == language


@pytest.mark.parametrize(
    ("name", "kept"),
    [("de_AT", "de_AT"), ("en_GB", "en_GB"), ("fr_FR", "en_US"), ("ar_EG", "en_US")],
)
def test_dates_and_digits_are_in_the_language_that_is_spoken(
    app: QApplication, monkeypatch: pytest.MonkeyPatch, name: str, kept: str
) -> None:
    """With the habits of the system's region, where that speaks it, too."""
    monkeypatch.setattr(QLocale, "system", lambda: QLocale(name))
    translate(app, "system")
    assert QLocale().name() == kept


def test_there_is_no_translation_that_nobody_can_choose() -> None:
    """One source and one made file for each language."""
    names = {f"waggle_{language}{suffix}" for language in LANGUAGES for suffix in (".ts", ".qm")}
    assert {path.name for path in TRANSLATIONS.iterdir()} == names
