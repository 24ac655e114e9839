"""How long phases take."""

from core.engine.stopwatch import Stopwatch


def test_phases_add_up_and_others_stay_zero() -> None:
    """A phase that is entered twice counts both stretches; one never entered counts none."""
    watch = Stopwatch()
    watch.enter("judging")
    watch.enter("sharing")
    first = watch.seconds("judging")
    watch.enter("judging")
    watch.stop()
    assert watch.seconds("judging") >= first >= 0
    assert watch.seconds("learning") == 0
