"""The section About."""

import json
from pathlib import Path

import pytest
from PySide6.QtWidgets import QComboBox, QPlainTextEdit
from pytestqt.qtbot import QtBot

from app.pages.settings.about import AboutSection, Licence, load_licences
from app.style.theme import LIGHT
from core.version import VERSION
from tests.app.reading import texts
from tests.fake_actions import FakeActions

PARTS = (
    Licence("numpy", "2.0", "BSD-3-Clause", "Permission to use numpy"),
    Licence("a-library-with-an-uncommonly-long-name", "10.20.30", "", ""),
)


def test_it_says_which_waggle_this_is(actions: FakeActions, qtbot: QtBot) -> None:
    """And in a checkout, where the licences are."""
    section = AboutSection(LIGHT, actions, ())
    qtbot.addWidget(section)
    assert f"Waggle {VERSION}" in texts(section)
    assert any("runs from its source" in text for text in texts(section))


def test_every_part_is_shown_with_its_terms(actions: FakeActions, qtbot: QtBot) -> None:
    """One at a time; the text can be read and not be changed."""
    section = AboutSection(LIGHT, actions, PARTS)
    qtbot.addWidget(section)
    (box,) = section.findChildren(QComboBox)
    (text,) = section.findChildren(QPlainTextEdit)
    assert text.isReadOnly()
    assert text.toPlainText() == "Permission to use numpy"
    assert "BSD-3-Clause" in texts(section)
    box.activated.emit(1)
    assert "without a text" in text.toPlainText()
    assert all(len(box.itemText(at)) < 40 for at in range(box.count()))


ROW = {"name": "numpy", "version": "2.0", "licence": "BSD-3-Clause", "text": "Permission …"}


def test_all_parts_are_read_by_name(tmp_path: Path) -> None:
    """As packaging/licences.py writes them."""
    rows = [ROW, ROW | {"name": "Jinja2"}]
    (tmp_path / "licences.json").write_text(json.dumps(rows), encoding="utf-8")
    assert [one.name for one in load_licences(tmp_path)] == ["Jinja2", "numpy"]
    assert load_licences(tmp_path)[1] == Licence(**ROW)


@pytest.mark.parametrize("data", [None, b"", b"[1]", b'[{"name": "x"}]', b"\x00", b'[{"\xff": 1}]'])
def test_without_a_sound_list_there_is_none(tmp_path: Path, data: bytes | None) -> None:
    """As in a checkout."""
    if data is not None:
        (tmp_path / "licences.json").write_bytes(data)
    assert load_licences(tmp_path) == ()
