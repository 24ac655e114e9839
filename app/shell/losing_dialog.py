"""Asks before the window closes on work that could not go on later."""

from collections.abc import Callable

from PySide6.QtWidgets import QDialog, QWidget

from app.widgets.basics import button, label, lay_out_question


class LosingDialog(QDialog):
    """Accepted by whoever closes all the same."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Close Waggle?"))
        self.setModal(True)
        close = button(self.tr("Close all the same"), kind="danger")
        close.setAutoDefault(False)
        close.clicked.connect(self.accept)
        stay = button(self.tr("Let it end first"))
        stay.clicked.connect(self.reject)
        words = self.tr(
            "An exam or an export is under way, and would have to begin anew. Rounds of practice "
            "are safe either way."
        )
        parts = label(self.tr("Close Waggle?"), "lead"), label(words, wrap=True)
        lay_out_question(self, parts, close, stay)
        stay.setFocus()


def ask_to_lose(
    parent: QWidget, answered: Callable[[bool], object], dress: Callable[[QWidget], object]
) -> None:
    """Open the question over ``parent``, unless it stands there already.

    ``answered`` hears whether to close all the same.
    """
    if any(one.isVisible() for one in parent.findChildren(LosingDialog)):
        return
    made = LosingDialog(parent)
    dress(made)
    made.finished.connect(lambda code: answered(bool(code)))
    made.finished.connect(made.deleteLater)
    made.open()
