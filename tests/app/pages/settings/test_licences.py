"""The list of licences that a frozen app brings along."""

import json
from pathlib import Path

import pytest

from app.pages.settings.licences import Licence, load_licences

ROW = {"name": "numpy", "version": "2.0", "licence": "BSD-3-Clause", "text": "Permission …"}


def test_all_parts_are_read_by_name(tmp_path: Path) -> None:
    """As packaging/licences.py writes them."""
    rows = [ROW, ROW | {"name": "Jinja2"}]
    (tmp_path / "licences.json").write_text(json.dumps(rows), encoding="utf-8")
    assert [one.name for one in load_licences(tmp_path)] == ["Jinja2", "numpy"]
    assert load_licences(tmp_path)[1] == Licence(**ROW)


@pytest.mark.parametrize("text", [None, "", "[1]", '[{"name": "x"}]', "\x00"])
def test_without_a_sound_list_there_is_none(tmp_path: Path, text: str | None) -> None:
    """As in a checkout."""
    if text is not None:
        (tmp_path / "licences.json").write_text(text)
    assert load_licences(tmp_path) == ()
