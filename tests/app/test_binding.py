"""The Qt binding itself can be trusted on this Python."""

import sys

from PySide6.QtCore import QObject


def test_calls_that_return_nothing_cost_no_reference() -> None:
    """A binding that drops references to None ends in an abort after some thousand calls.

    PySide6 6.12.0 did so on Pythons before 3.12, where None can be freed.
    """
    thing = QObject()
    before = sys.getrefcount(None)
    for _ in range(1_000):
        thing.setObjectName("bee")
    assert sys.getrefcount(None) > before - 500
