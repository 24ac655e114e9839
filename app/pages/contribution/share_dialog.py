"""Shows the picture for sharing before anything is done with it."""

from collections.abc import Callable

from PySide6.QtGui import QGuiApplication, QImage, QPixmap
from PySide6.QtWidgets import QDialog, QFrame, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.style import theme
from app.widgets.basics import button, column_of, frame, label

PREVIEW_WIDTH = 640


class ShareDialog(QDialog):
    """The picture, and what can be done with it."""

    def __init__(
        self, picture: QImage, spoken: str, save: Callable[[QDialog], None], parent: QWidget
    ) -> None:
        """``save`` lets the person say where the picture shall go."""
        super().__init__(parent)
        self._picture = picture
        self.setWindowTitle(self.tr("A picture to share"))
        self.setProperty("role", "page")
        self._save = button(self.tr("Save picture…"))
        self._copy = button(self.tr("Copy"))
        self._close = button(self.tr("Close"))
        self._save.clicked.connect(lambda: save(self))
        self._copy.clicked.connect(self._put_on_clipboard)
        self._close.clicked.connect(self.reject)
        self._said = label("", "small")
        self._lay_out(spoken)
        self._save.setFocus()

    def _lay_out(self, spoken: str) -> None:
        row = QHBoxLayout()
        row.setSpacing(theme.SPACE_S)
        for way in (self._save, self._copy):
            row.addWidget(way)
        row.addWidget(self._said)
        row.addStretch()
        row.addWidget(self._close)
        column = QVBoxLayout(self)
        column.setContentsMargins(theme.SPACE_XL, theme.SPACE_XL, theme.SPACE_XL, theme.SPACE_XL)
        column.setSpacing(theme.SPACE_L)
        column.addWidget(self._preview(spoken))
        words = self.tr(
            "Key figures and your made-up name, nothing else. It leaves this computer only if you "
            "send it."
        )
        column.addWidget(label(words, "muted", wrap=True))
        column.addLayout(row)

    def _preview(self, spoken: str) -> QFrame:
        shown = QPixmap.fromImage(self._picture)
        shown.setDevicePixelRatio(shown.width() / PREVIEW_WIDTH)
        made = QLabel()
        made.setPixmap(shown)
        made.setAccessibleName(self.tr("Preview: {}").format(spoken))
        card = frame("card", margin=theme.SPACE_XS)
        column_of(card).addWidget(made)
        return card

    def _put_on_clipboard(self) -> None:
        QGuiApplication.clipboard().setImage(self._picture)
        self._said.setText(self.tr("Copied."))
