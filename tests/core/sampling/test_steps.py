import torch

from core.sampling.steps import LaunchedSteps, RecordedSteps, Step, steps_on


class _Counted:
    """A step that counts, and its recording that does too."""

    def __init__(self) -> None:
        self.done: list[str] = []

    def step(self) -> None:
        self.done.append("launched")

    def record(self, step: Step) -> Step:
        assert step == self.step
        return lambda: self.done.append("replayed")

    def refuse(self, step: Step) -> Step:
        raise RuntimeError(f"{step} waits for the card")


def test_launched_steps_are_all_launched() -> None:
    """As many as were asked for, whatever shapes do."""
    counted = _Counted()
    steps = LaunchedSteps(counted.step)
    steps.run(2)
    steps.reshape()
    steps.run(1)
    assert counted.done == ["launched"] * 3


def test_a_recorded_step_is_launched_once_and_replayed() -> None:
    """The first of its shape warms up; the recording serves until shapes change."""
    counted = _Counted()
    steps = RecordedSteps(counted.step, counted.record)
    steps.run(3)
    steps.run(1)
    steps.reshape()
    steps.run(0)
    steps.run(1)
    steps.run(2)
    expected = ["launched", "replayed", "replayed", "replayed", "launched", "launched", "replayed"]
    assert counted.done == expected


def test_what_cannot_be_recorded_is_launched() -> None:
    """It takes longer, and is no error."""
    counted = _Counted()
    steps = RecordedSteps(counted.step, counted.refuse)
    steps.run(4)
    assert counted.done == ["launched"] * 4


def test_only_cuda_records() -> None:
    """Everywhere else steps are launched."""
    step = _Counted().step
    assert isinstance(steps_on(torch.device("cpu"), step), LaunchedSteps)
    assert isinstance(steps_on(torch.device("mps"), step), LaunchedSteps)
    assert isinstance(steps_on(torch.device("cuda"), step), RecordedSteps)
