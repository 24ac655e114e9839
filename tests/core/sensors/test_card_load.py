"""How busy others keep the card, as a driver of our own tells it."""

import os
from typing import NamedTuple

import pytest

from core.sensors.card_load import CardLoad, share_of_others

PARENT = os.getppid()
"""A process that is there and is not ours."""


class Sample(NamedTuple):
    pid: int
    timeStamp: int  # noqa: N815 - the driver's name
    smUtil: int  # noqa: N815 - likewise


class Driver:
    """Knows two cards and who used them when, as NVIDIA's does."""

    class NVMLError_NotFound(Exception):  # noqa: N801, N818 - the driver's name
        """Nobody used the card since."""

    def __init__(self) -> None:
        self.samples: dict[int | str, list[Sample]] = {0: [], 1: [], "GPU-7": []}

    def nvmlDeviceGetHandleByIndex(self, index: int) -> int:  # noqa: N802 - the driver's name
        return index

    def nvmlDeviceGetHandleByUUID(self, name: str) -> str:  # noqa: N802 - the driver's name
        return name

    def nvmlDeviceGetProcessUtilization(  # noqa: N802 - the driver's name
        self, card: int | str, since: int
    ) -> list[Sample]:
        found = [sample for sample in self.samples[card] if sample.timeStamp > since]
        if not found:
            raise self.NVMLError_NotFound
        return found


@pytest.fixture
def driver() -> Driver:
    return Driver()


def test_only_others_count_and_only_what_is_new(driver: Driver) -> None:
    """The first look knows only what was; later ones, what others did since the last."""
    load = CardLoad(lambda: "0", driver=driver)
    driver.samples[0] = [Sample(PARENT, 5, 100)]
    assert load.read().value is None
    driver.samples[0] += [Sample(PARENT, 7, 80), Sample(PARENT, 8, 40), Sample(os.getpid(), 8, 30)]
    reading = load.read()
    assert (reading.value, reading.words) == (0.6, "others use 60 % of the graphics card")
    assert load.read().value == 0.0


@pytest.mark.parametrize("card", ["1", "GPU-7", None])
def test_the_card_that_trains_is_asked(driver: Driver, card: str | None) -> None:
    """A game on the other one is no concern; where no card trains, none is asked."""
    load = CardLoad(lambda: card, driver=driver)
    load.read()
    for number in driver.samples:
        driver.samples[number] = [Sample(PARENT, 9, 90 if str(number) == card else 10)]
    assert load.read().value == (None if card is None else 0.9)


def test_without_a_driver_nothing_is_known(monkeypatch: pytest.MonkeyPatch) -> None:
    """Most computers; it is no reason to pause."""
    monkeypatch.setattr("core.sensors.card_load.open_driver", lambda: None)
    load = CardLoad(lambda: "0")
    assert not load.is_told
    assert load.read().value is None


def test_shares_add_up_and_strangers_of_other_containers_do_not_count() -> None:
    """There our own processes have other numbers, too."""
    me = os.getpid()
    assert share_of_others([(PARENT, 70), (me, 60)], set()) == 1.0
    assert share_of_others([(PARENT, 70), (me, 60)], {me}) == 0.7
    assert share_of_others([(2**22 + 5, 90)], set()) == 0.0
    assert share_of_others([], set()) == 0.0
