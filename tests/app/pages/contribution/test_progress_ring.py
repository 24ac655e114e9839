"""The ring fills up."""

from PySide6.QtGui import QImage
from pytestqt.qtbot import QtBot

from app.pages.contribution.progress_ring import ProgressRing
from app.style.theme import DARK, LIGHT


def test_every_share_looks_different(qtbot: QtBot) -> None:
    """Empty, half, nearly full, and full with a tick; in both palettes."""
    ring = ProgressRing(LIGHT)
    qtbot.addWidget(ring)

    def look(share: float) -> QImage:
        ring.show_share(share, LIGHT)
        return ring.grab().toImage()

    shares = [look(share) for share in (0.0, 0.25, 0.5, 0.95, 1.0)]
    assert all(one != other for one in shares for other in shares if one is not other)
    ring.show_share(1.0, DARK)
    assert ring.grab().toImage() != shares[-1]
