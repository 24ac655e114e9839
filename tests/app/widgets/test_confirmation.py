"""Agreeing takes a thought."""

from PySide6.QtWidgets import QApplication

from app.widgets.confirmation import Confirmation, double_click_s


class Clock:
    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


def test_a_second_press_agrees() -> None:
    """Once the question could be read; the next press asks anew."""
    clock = Clock()
    confirmation = Confirmation(clock, lambda: 0.4)
    steps = []
    for seconds in (0.0, 0.4, 60.0):
        clock.now += seconds
        steps.append((confirmation.press(), confirmation.is_asking))
    assert steps == [(False, True), (True, False), (False, True)]


def test_a_double_click_only_asks() -> None:
    """However often it is clicked: the question stands, and is not answered."""
    clock = Clock()
    confirmation = Confirmation(clock, lambda: 0.4)
    for _ in range(3):
        assert not confirmation.press()
        clock.now += 0.1
    assert confirmation.is_asking
    clock.now += 0.2
    assert confirmation.press()


def test_a_question_can_be_taken_back() -> None:
    """The next press is a first one, however late."""
    clock = Clock()
    confirmation = Confirmation(clock, lambda: 0.4)
    confirmation.press()
    confirmation.drop()
    clock.now += 60.0
    assert not confirmation.press()


def test_how_quick_a_double_click_is_the_system_knows(qapp: QApplication) -> None:
    """In seconds."""
    assert double_click_s() == qapp.doubleClickInterval() / 1_000
