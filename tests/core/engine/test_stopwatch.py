"""How long phases take."""

from core.engine.stopwatch import Stopwatch


def test_phases_add_up_and_others_stay_zero() -> None:
    """A phase that is entered twice counts both stretches; one never entered counts none."""
    moments = iter([100.0, 102.0, 102.0, 107.0, 107.0, 107.5])
    watch = Stopwatch(lambda: next(moments))
    for phase in ("judging", "sharing", "judging"):
        watch.enter(phase)
    watch.stop()
    seconds = [watch.seconds(phase) for phase in ("judging", "sharing", "learning")]
    assert seconds == [2.5, 5.0, 0.0]
