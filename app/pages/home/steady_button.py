"""A button that waits without giving the keyboard away."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QPushButton

from app.state.run_status import Button
from app.widgets.basics import set_style


class SteadyButton(QPushButton):
    """A function of a ``Button``. One that is not enabled looks so and does nothing.

    It keeps the focus then: Qt takes it from what is disabled and gives it to the next button,
    which the key that was meant for this one would press.
    """

    wanted = Signal()  # pressed while it is enabled

    def __init__(self, kind: str = "plain") -> None:
        super().__init__()
        self._waits = False
        self.setProperty("kind", kind)
        self.setAutoDefault(True)  # Enter presses what has the focus
        self.clicked.connect(self._on_clicked)

    def show_button(self, shown: Button) -> None:
        """Look like ``shown``."""
        self.setText(shown.text)
        self.setAccessibleName(shown.text)
        if self._waits == shown.enabled:
            self._waits = not shown.enabled
            self.setAccessibleDescription(
                self.tr("Cannot be pressed right now.") if self._waits else ""
            )
            set_style(self, "waiting", self._waits)

    def _on_clicked(self) -> None:
        if not self._waits:
            self.wanted.emit()
