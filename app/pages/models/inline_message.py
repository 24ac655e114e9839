"""A few words inside a card with what can be done about them: a question, or how it went."""

from collections.abc import Sequence

from PySide6.QtWidgets import QFrame, QHBoxLayout, QVBoxLayout, QWidget

from app.pages.models.act_button import ActButton, OnAct
from app.pages.models.view_model import RowAction
from app.style import theme
from app.widgets.basics import column_of, frame, set_style, show_message
from app.widgets.selectable_label import SelectableLabel
from app.widgets.tab_order import in_turn

MOST_WAYS = 2


class InlineMessage(QWidget):
    """Hidden while there is nothing to say, and empty before the first words: most never come."""

    def __init__(self, on_act: OnAct) -> None:
        super().__init__()
        self._on_act = on_act
        self._frame: QFrame | None = None
        self._words = SelectableLabel()
        self._buttons: list[ActButton] = []
        self.hide()

    def say(self, words: str, ways: Sequence[RowAction], *, is_grave: bool) -> None:
        """Show ``words`` with at most ``MOST_WAYS`` buttons; no words hide it."""
        if words:
            made = self._frame or self._build()
            for number, button in enumerate(self._buttons):
                button.show_act(ways[number] if number < len(ways) else None)
            set_style(made, "grave", is_grave)
        show_message(self, self._words, words)

    def focus_last(self) -> None:
        """Give the keyboard to the last button: the one that changes nothing."""
        shown = [button for button in self._buttons if not button.isHidden()]
        if shown:
            shown[-1].setFocus()

    def _build(self) -> QFrame:
        made = self._frame = frame("notice", margin=theme.SPACE_M)
        self._buttons = [ActButton(self._on_act) for _ in range(MOST_WAYS)]
        ways = QHBoxLayout()
        ways.setSpacing(theme.SPACE_S)
        for button in self._buttons:
            ways.addWidget(button)
        ways.addStretch()
        column_of(made).addWidget(self._words)
        column_of(made).addLayout(ways)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, theme.SPACE_S, 0, theme.SPACE_S)
        column.addWidget(made)
        in_turn(self.parentWidget() or self)  # between what stands above and below
        return made
