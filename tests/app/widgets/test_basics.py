"""The small pieces keep their promises."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from app.widgets.basics import (
    announce,
    bare_column,
    bare_row,
    button,
    column_of,
    drop,
    frame,
    hung,
    label,
    picture,
    set_button,
    set_style,
    take_turns,
)
from tests.app.hearing import listen


def test_text_is_never_markup(qtbot: QtBot) -> None:
    """What a stranger calls himself cannot draw links or pictures."""
    made = label("<b>bold</b>")
    qtbot.addWidget(made)
    assert made.textFormat() is Qt.TextFormat.PlainText


def test_a_button_says_its_new_words_to_screen_readers(qtbot: QtBot) -> None:
    """Text and accessible name change together."""
    made = button("Pause")
    qtbot.addWidget(made)
    set_button(made, "Go on", enabled=False)
    assert (made.text(), made.accessibleName(), made.isEnabled()) == ("Go on", "Go on", False)


def test_a_frame_has_a_column(qtbot: QtBot) -> None:
    """What is added to it stands in it; other widgets have none."""
    made = frame("card")
    qtbot.addWidget(made)
    column_of(made).addWidget(picture(24))
    assert column_of(made).count() == 1
    bare = QLabel()
    qtbot.addWidget(bare)
    with pytest.raises(TypeError):
        column_of(bare)


def test_a_bare_column_or_row_has_no_edge(qtbot: QtBot) -> None:
    """What is in it stands in line with all around."""
    for build in (bare_column, bare_row):
        widget = QWidget()
        qtbot.addWidget(widget)
        assert build(widget).contentsMargins().isNull()


@pytest.mark.parametrize(
    "direction", [Qt.LayoutDirection.LeftToRight, Qt.LayoutDirection.RightToLeft]
)
def test_what_is_hung_reaches_into_the_margin(qtbot: QtBot, direction: Qt.LayoutDirection) -> None:
    """By its inset and no further, on the side on which the language begins."""
    made = frame("card", margin=16)
    qtbot.addWidget(made)
    made.setLayoutDirection(direction)
    words, hanging = label("Above"), button("Below")
    column_of(made).addWidget(words)
    column_of(made).addLayout(hung(hanging, 10))
    with qtbot.waitExposed(made):
        made.show()
    inner = words.geometry()
    is_left = direction is Qt.LayoutDirection.LeftToRight
    wanted = inner.adjusted(-10, 0, 0, 0) if is_left else inner.adjusted(0, 0, 10, 0)
    got = hanging.geometry()
    assert (got.left(), got.right()) == (wanted.left(), wanted.right())


def test_what_is_dropped_is_gone_at_once(qtbot: QtBot) -> None:
    """Though Qt deletes it later: nothing takes its room or answers to a press meanwhile."""
    made = frame("card")
    qtbot.addWidget(made)
    gone = label("gone")
    column_of(made).addWidget(gone)
    made.show()
    drop(gone, column_of(made))
    assert column_of(made).count() == 0
    assert gone.isHidden()


def test_the_keyboard_goes_where_the_button_went(qtbot: QtBot) -> None:
    """From what is disabled to what stands in for it, and back; otherwise it stays where it is."""
    row = frame("card")
    qtbot.addWidget(row)
    start, cancel, other = button("Go"), button("Cancel"), button("Other")
    for made in (start, other, cancel):
        column_of(row).addWidget(made)
    row.show()
    take_turns(start, cancel, is_open=False)
    assert (start.isEnabled(), cancel.isVisible()) == (True, False)
    start.setFocus()
    take_turns(start, cancel, is_open=True)
    assert row.focusWidget() is cancel
    assert not start.isEnabled()
    take_turns(start, cancel, is_open=False)
    assert row.focusWidget() is start
    other.setFocus()
    for is_open in (True, False):
        take_turns(start, cancel, is_open=is_open)
        assert row.focusWidget() is other
    take_turns(start, cancel, is_open=False, can_start=False)
    assert not start.isEnabled()


def test_a_style_is_looked_up_anew_where_it_changes(qtbot: QtBot) -> None:
    """A property alone does not reach the style sheet; one that stays costs nothing."""
    made = label("x")
    qtbot.addWidget(made)
    made.setStyleSheet('QLabel[role="big"] { font-size: 40px; }')
    small = made.sizeHint().height()
    set_style(made, "role", "big")
    big = made.sizeHint().height()
    assert big > small
    made.setProperty("role", "small")
    set_style(made, "role", "small")
    assert made.sizeHint().height() == big, "nothing is looked up where nothing changed"
    set_style(made, "role", "body")
    assert made.sizeHint().height() == small


def test_words_that_come_up_are_said_where_somebody_sees_them(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither those of a page in the background, nor none at all."""
    heard = listen(monkeypatch)
    made = label("x")
    qtbot.addWidget(made)
    announce(made, "It is done.")
    made.show()
    announce(made, "")
    assert heard == []
    announce(made, "It is done.")
    assert heard == ["It is done."]


def test_qt_takes_an_announcement(qtbot: QtBot) -> None:
    """Whether or not a screen reader is there."""
    made = label("x")
    qtbot.addWidget(made)
    made.show()
    announce(made, "It is done.")
