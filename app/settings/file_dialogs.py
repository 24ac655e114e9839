"""Asking a person for a file, as the system does it."""

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QWidget


class FileDialogs:
    """The real ones; tests answer in their place."""

    def to_write(self, parent: QWidget, title: str, name: str) -> str:
        """Where to write a file; empty: the person thought better of it."""
        chosen, _ = QFileDialog.getSaveFileName(parent, title, str(Path.home() / name))
        return chosen

    def to_read(self, parent: QWidget, title: str) -> str:
        """Which file to read; empty likewise."""
        chosen, _ = QFileDialog.getOpenFileName(parent, title, str(Path.home()))
        return chosen
