"""What the doctor sees of the network."""

import importlib.util
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from core.api.maintenance import Finding
from core.i18n import Remark, translatable
from core.services import network_checks
from core.services.network_checks import TIMEOUT_S, check_network
from core.settings import SwarmSettings
from core.swarm.lan.interfaces import Judgement
from core.wire.codec import PROTOCOL
from core.wire.invite import VERSION, Invite, InvitedHub, write_invite
from tests.envelopes import ANNE, public_key
from tests.waggle_process import hub


def found(area: str, settings: SwarmSettings | None = None) -> list[Finding]:
    return [one for one in check_network(settings or SwarmSettings()) if one.area == area]


@contextmanager
def silent_hub() -> Iterator[str]:
    """Lets everybody in and never says a word; its URL."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


@contextmanager
def closed_proxy() -> Iterator[str]:
    """Turns the one away who comes; its URL, with a name and a password."""
    with socket.create_server(("127.0.0.1", 0)) as server:

        def refuse() -> None:
            visitor, _ = server.accept()
            with visitor:
                visitor.recv(1 << 16)
                visitor.sendall(b"HTTP/1.1 407 No\r\nContent-Length: 0\r\n\r\n")

        refusing = threading.Thread(target=refuse)
        refusing.start()
        yield f"http://anne:secret@127.0.0.1:{server.getsockname()[1]}"
        refusing.join()


def test_every_part_is_told_in_words() -> None:
    """Interfaces, the door, meeting points and libraries; none is needed to practise."""
    findings = check_network(SwarmSettings())
    areas = [one.area for one in findings]
    assert areas == ["local network", "door", "meeting points", "libtorrent", "redis"]
    assert all(one.words and not one.needed for one in findings)


def test_a_port_can_be_opened() -> None:
    """It was really opened, and knocked at."""
    words = "a port can be opened for others on this network"
    remarks = (Remark(words),)
    assert found("door") == [Finding("door", ok=True, words=words, needed=False, remarks=remarks)]


def test_what_is_wrong_with_the_local_network_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """In the words of whoever judges interfaces."""
    words = translatable("This computer is on no local network. Join one.")
    monkeypatch.setattr(network_checks, "look_around", lambda: Judgement((), words))
    (finding,) = found("local network")
    assert (finding.words, finding.remarks) == (words, words.remarks)
    assert (finding.mark, finding.kind) == ("note", "SwarmError")


def test_a_door_that_cannot_be_opened_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """With what to do."""

    def refuse(*_: object, **__: object) -> None:
        raise OSError(13, "Permission denied")

    monkeypatch.setattr(socket, "create_server", refuse)
    (door,) = found("door")
    assert not door.ok
    assert "Permission denied" in door.words
    assert "firewall" in door.words


def test_a_hub_that_answers_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its time; a clock that is minutes off is told with what to do."""
    with hub(tmp_path) as (_, url):
        settings = SwarmSettings(hubs=(url,))
        (well,) = found("meeting point", settings)
        assert (well.ok, well.words) == (True, f"{url} answers, with the same time")
        later = time.time() + 600
        monkeypatch.setattr(network_checks, "time", FrozenTime(later))
        (off,) = found("meeting point", settings)
    assert not off.ok
    assert "10 minutes behind" in off.words
    assert "Set the clock" in off.words


def test_a_hub_of_another_release_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With what to do, and not as one that does not answer."""
    with hub(tmp_path) as (_, url):
        monkeypatch.setattr("core.wire.codec.PROTOCOL", PROTOCOL + 1)
        (finding,) = found("meeting point", SwarmSettings(hubs=(url,)))
    assert not finding.ok
    assert "of another release. Update Waggle" in finding.words


class FrozenTime:
    """A clock that stands."""

    def __init__(self, now: float) -> None:
        self.now = now

    def time(self) -> float:
        return self.now


def test_an_invites_hub_has_to_be_the_one_it_names(tmp_path: Path) -> None:
    """Else somebody stands in for it."""
    with hub(tmp_path) as (_, url):
        invite = Invite(VERSION, "pond", (InvitedHub(url, public_key(ANNE)),))
        (finding,) = found("meeting point", SwarmSettings(name=write_invite(invite)))
    assert not finding.ok
    assert "Somebody else answers" in finding.words


@pytest.mark.usefixtures("flipped_names")
def test_an_invites_name_does_not_lead_inside(tmp_path: Path) -> None:
    """Here, too, nobody inside is asked; a name that was typed may lead there."""
    with hub(tmp_path) as (_, url):
        named = url.replace("127.0.0.1", "hub.example.org")
        link = write_invite(Invite(VERSION, "pond", (InvitedHub(named),)))
        (finding,) = found("meeting point", SwarmSettings(name=link))
        both = found("meeting point", SwarmSettings(name=link, hubs=(named,)))
    assert "does not answer" in finding.words
    assert [one.ok for one in both] == [True, True]


@pytest.mark.parametrize("url", ["http://127.0.0.1:1", "http://no.such.host.invalid", "nonsense"])
def test_a_hub_that_does_not_answer_is_told(url: str) -> None:
    """With what to do."""
    (finding,) = found("meeting point", SwarmSettings(hubs=(url,)))
    assert not finding.ok
    assert url in finding.words
    assert finding.words.endswith((".", "8765."))


def test_a_proxys_password_is_not_told() -> None:
    """Findings are shown to others; what the proxy said is told."""
    settings = SwarmSettings(hubs=("https://hub.example.org",))
    with closed_proxy() as proxy:
        findings = check_network(settings, proxy)
    (words,) = (one.words for one in findings if one.area == "meeting point")
    assert "an error, 407" in words
    assert "secret" not in words


def test_nothing_takes_longer_than_a_few_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither ten hubs that say nothing nor a name service that never answers."""
    monkeypatch.setattr(network_checks, "TIMEOUT_S", 0.5)
    asked, over = threading.Event(), threading.Event()
    really = socket.getaddrinfo

    def never(host: str, *rest: int) -> object:
        if host != "slow.example.org":
            return really(host, *rest)
        asked.set()
        return over.wait(60)

    monkeypatch.setattr(socket, "getaddrinfo", never)
    with silent_hub() as url:
        hubs = (*[url] * 10, "http://slow.example.org")
        began = time.monotonic()
        findings = found("meeting point", SwarmSettings(hubs=hubs))
        took = time.monotonic() - began
    over.set()
    assert asked.is_set()
    assert len(findings) == 11
    assert not any(one.ok for one in findings)
    assert took < TIMEOUT_S


def test_a_library_that_is_missing_is_told_with_what_it_is_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By its name, as pip knows it."""
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    (finding,) = found("libtorrent")
    assert not finding.ok
    assert "with the package libtorrent" in finding.words
