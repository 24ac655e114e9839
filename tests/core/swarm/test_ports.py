"""What others have to be like: checked by mypy, and by use."""

from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

from core.ledger.contribution import Contribution
from core.swarm.lan.discovery import Lan, LanFinder
from core.swarm.lan.neighbours import LanNotice
from core.swarm.membership import Origin, Source
from core.swarm.ports import Finder, NoReceiptLog, ReceiptLog
from tests.envelopes import ANNE, BOB, NOW, SWARM, FakeClock


def write_in(log: ReceiptLog) -> int:
    log.thank(BOB.peer_id, (1, 2), NOW)
    return log.learners


def test_the_ledger_is_a_receipt_log(tmp_path: Path) -> None:
    """What is written in it is counted; in none, nothing is."""
    with closing(Contribution(tmp_path / "ledger.sqlite")) as ledger:
        assert write_in(ledger) == 1
    assert write_in(NoReceiptLog()) == 0


class NobodyThere:
    """The smallest finder."""

    origin: Origin = "dht"
    trouble: str | None = None

    async def look(self) -> Iterable[Source]:
        return ()


def test_finders_have_one_shape() -> None:
    """That of the local network, and one made up here."""
    lan = Lan(LanNotice(ANNE.peer_id, SWARM, 1))
    finders: list[Finder] = [LanFinder(lan, FakeClock()), NobodyThere()]
    assert [finder.origin for finder in finders] == ["lan", "dht"]
    assert [finder.trouble for finder in finders] == [None, None]
