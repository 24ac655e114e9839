"""The hub's process from inside; ``test_hosting.py`` sees it from outside."""

import os
import subprocess
from collections.abc import Iterator
from io import FileIO
from pathlib import Path

import pytest

from core.api.protocol import decode_answer
from core.api.requests import Refused, Reply
from core.api.swarm import HubOpen
from core.errors import UsageError
from core.hub.run import HubOptions
from core.paths import Home
from core.services.hosting import hub_command
from core.services.hub_child import host
from tests.envelopes import ANNE


@pytest.fixture
def leash() -> Iterator[tuple[FileIO, int]]:
    """What the hub holds, and what lets it go when it is closed."""
    reader, writer = os.pipe()
    with FileIO(reader) as source:
        yield source, writer


async def test_it_ends_with_its_leash(leash: tuple[FileIO, int], tmp_path: Path) -> None:
    """As soon as it has opened, here; nothing has to be killed."""
    source, hold = leash
    told: list[Reply] = []

    def let_go(answer: Reply) -> None:
        told.append(answer)
        os.close(hold)

    choice = HubOptions("127.0.0.1:0", f"sqlite:{tmp_path / 'hub.sqlite'}")
    await host(choice, ANNE, let_go, source)
    (opened,) = told
    assert isinstance(opened, HubOpen)
    assert (opened.peer, opened.visitors) == (ANNE.peer_id, 0)
    assert opened.addresses[0].startswith("http://127.0.0.1:")


async def test_what_keeps_it_from_opening_is_raised(leash: tuple[FileIO, int]) -> None:
    """While the leash still holds."""
    source, hold = leash
    with pytest.raises(ExceptionGroup) as raised:
        await host(HubOptions("nowhere"), ANNE, lambda _: None, source)
    os.close(hold)
    assert isinstance(raised.value.exceptions[0], UsageError)


def test_a_process_says_what_is_wrong_and_ends(tmp_path: Path) -> None:
    """In one answer, on its channel."""
    command = hub_command(Home(tmp_path), "nowhere", "")
    child = subprocess.run(  # noqa: S603 - our own command
        command, stdin=subprocess.PIPE, capture_output=True, check=False
    )
    answer = decode_answer(child.stdout)
    assert isinstance(answer, Refused)
    assert "nowhere" in answer.words
    assert child.returncode == 1
