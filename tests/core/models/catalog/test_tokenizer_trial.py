"""Trying a stranger's tokenizer where it can do no harm."""

import json
import os
from pathlib import Path

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from core.models.catalog.tokenizer_trial import answer, try_tokenizer
from core.models.policy.confined import ProcessLimits
from core.models.policy.language import LanguageError
from core.paths import RESOURCES
from tests.broken_tokenizers import BROKEN, GROWING, HANGING, growing_at

LIMITS = ProcessLimits(seconds=2, memory=500_000_000)


@pytest.mark.parametrize("starter", ["spark", "ember"])
def test_a_good_tokenizer_passes(starter: str) -> None:
    """Nothing is said."""
    try_tokenizer(RESOURCES / "models" / starter)


@pytest.mark.parametrize("name", BROKEN)
def test_one_that_breaks_is_told(tmp_path: Path, name: str) -> None:
    """What its library raises is a sentence, and a panic stays in the process."""
    (tmp_path / "tokenizer.json").write_text(json.dumps(BROKEN[name]))
    with pytest.raises(LanguageError, match="its tokenizer cannot read every text"):
        try_tokenizer(tmp_path, limits=LIMITS)


def test_one_that_hangs_is_told(tmp_path: Path) -> None:
    """The library cannot be interrupted; the process can."""
    (tmp_path / "tokenizer.json").write_text(json.dumps(HANGING))
    with pytest.raises(LanguageError, match="of no use: it takes more than 2 seconds"):
        try_tokenizer(tmp_path, limits=LIMITS)


def test_one_that_grows_is_told(tmp_path: Path) -> None:
    """The library aborts where there is no memory, and takes nobody along."""
    (tmp_path / "tokenizer.json").write_text(json.dumps(GROWING))
    with pytest.raises(LanguageError, match=r"of no use: it (takes more than|crashes)"):
        try_tokenizer(tmp_path, limits=LIMITS)


def test_what_a_template_gives_it_to_read_is_tried_too(tmp_path: Path) -> None:
    """One that is quick on ordinary texts, and not on those that come with it."""
    hates_wine = growing_at("wine")
    (tmp_path / "tokenizer.json").write_text(json.dumps(hates_wine))
    try_tokenizer(tmp_path, limits=LIMITS)
    with pytest.raises(LanguageError, match=r"of no use: it (takes more than|crashes)"):
        try_tokenizer(tmp_path, ["wine"], LIMITS)


def test_none_at_all_is_told(tmp_path: Path) -> None:
    """As when it is read in earnest."""
    with pytest.raises(LanguageError, match="missing or damaged"):
        try_tokenizer(tmp_path)


@given(st.binary(max_size=60) | st.text(max_size=60).map(str.encode))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_no_tokenizer(tmp_path: Path, data: bytes) -> None:
    """Nonsense is a reply, never a crash."""
    (tmp_path / "tokenizer.json").write_bytes(data)
    reply = msgspec.json.decode(
        answer(msgspec.json.encode({"folder": os.fsencode(tmp_path), "more": []}))
    )
    assert ["missing or damaged" in one["text"] for one in reply["trouble"]] == [True]
