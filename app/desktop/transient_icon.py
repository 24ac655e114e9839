"""An icon in the tray for as long as it says something; Windows and macOS say nothing without."""

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QSystemTrayIcon

from app.desktop.notifications import NOTICE_MS, Notification
from app.desktop.tray_icon import show_notice, tray_icon


class TransientIcon(QObject):
    """One notice at a time; the next one takes its place."""

    open_asked = Signal()  # a notice or the icon was clicked

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.icon: QSystemTrayIcon | None = None  # made when first needed
        self._end = QTimer(self, singleShot=True, interval=NOTICE_MS)
        self._end.timeout.connect(self._leave)

    def notify(self, notice: Notification) -> None:
        """Show ``notice`` for a while; a grave one until it is clicked or the next one comes.

        Whoever comes back in the morning should find it, and it goes with its icon.
        """
        if self.icon is None:
            self.icon = QSystemTrayIcon(tray_icon("idle"), self)
            self.icon.activated.connect(self._on_clicked)
            self.icon.messageClicked.connect(self._on_clicked)
        self.icon.show()
        show_notice(self.icon, notice)
        self._end.stop()
        if not notice.is_grave:
            self._end.start()

    def _on_clicked(self) -> None:
        self._leave()
        self.open_asked.emit()

    def _leave(self) -> None:
        if self.icon is not None:
            self.icon.hide()
