"""Numbers as people write them."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QLocale

from app.text.figures import figure, large, locale_here, percent, points, size


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    before = QLocale()
    yield
    QLocale.setDefault(before)


def test_thousands_are_parted_as_the_language_does() -> None:
    """By a comma in English, by a point in German."""
    QLocale.setDefault(QLocale("en_US"))
    assert figure(1_203) == "1,203"
    QLocale.setDefault(QLocale("de_DE"))
    assert figure(1_203) == "1.203"


def test_without_a_language_it_is_english() -> None:
    """A computer may have none set."""
    QLocale.setDefault(QLocale.c())
    assert locale_here().language() is QLocale.Language.English
    assert figure(1_203_000) == "1,203,000"


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (1_000_000, "1 million"),
        (1_516_960, "1.5 million"),
        (9_960_000, "10 million"),
        (134_515_008, "135 million"),
        (1_040_000_000, "1 billion"),
        (3_160_000_000, "3.2 billion"),
    ],
)
def test_large_counts_are_rounded(number: int, said: str) -> None:
    """A place behind the point while that says something."""
    assert large(number) == said


@pytest.mark.parametrize(
    ("number", "said"),
    [(1_516_960, "152 ten thousand"), (494_032_768, "4.9 hundred million")],
)
def test_chinese_counts_by_four_digits(number: int, said: str) -> None:
    """Nobody there says one and a half million (here without a catalogue, so in English)."""
    QLocale.setDefault(QLocale("zh_CN"))
    assert large(number) == said


def test_a_percent_sign_stays_with_its_number() -> None:
    """No line ends between the two."""
    assert percent(0.314) == "31\u00a0%"
    assert percent(29 / 100) == "29\u00a0%"


@pytest.mark.parametrize(
    ("number", "said"),
    [
        (0, "0 kB"),
        (12_345, "12 kB"),
        (520_000, "520 kB"),
        (3_000_000, "3 MB"),
        (9_640_000, "9.6 MB"),
        (995_000_000, "995 MB"),
        (999_999_999, "1 GB"),
        (3_095_000_000, "3.1 GB"),
        (12_940_000_000, "12.9 GB"),
        (50_000_000_000, "50 GB"),
    ],
)
def test_sizes_are_short_and_stay_in_one_line(number: int, said: str) -> None:
    """In units of a thousand, as disks are sold; a place behind the point if it says something."""
    QLocale.setDefault(QLocale("en_GB"))
    assert size(number) == said.replace(" ", "\u00a0")


def test_a_loss_has_a_minus_and_no_hyphen() -> None:
    """A line may end behind a hyphen, and a screen reader may pass over it."""
    assert points(-0.004) == "\u22120.4"
    assert points(0.091) == "9.1"
    assert points(-0.0003) == "0.0"


def test_sizes_follow_the_language() -> None:
    """With a comma where that is the custom; without any language, as English does."""
    QLocale.setDefault(QLocale("de_DE"))
    assert size(3_095_000_000) == "3,1\u00a0GB"
    QLocale.setDefault(QLocale.c())
    assert size(3_095_000_000) == "3.1\u00a0GB"


def test_a_figure_of_any_size_can_be_written() -> None:
    """A message may hold more than Qt takes; nothing fails by it."""
    assert figure(10**30) == figure(2**63 - 1)
    assert figure(-(10**30)).startswith("-9,223,")
