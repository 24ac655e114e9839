"""Letters drawn by hand are those of the window."""

from PySide6.QtWidgets import QApplication

from app.style import theme
from app.style.typeface import typeface


def test_it_is_the_typeface_of_the_window(qapp: QApplication) -> None:
    """In px, so that it grows with the screen's scale like everything else."""
    assert qapp
    font = typeface(22, bold=True)
    assert font.family() == theme.FONT_FAMILY
    assert font.pixelSize() == 22
    assert font.weight() > typeface(22).weight()
