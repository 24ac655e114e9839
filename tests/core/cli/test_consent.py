"""Nobody is led anywhere by an invite without agreeing to it."""

import io

import pytest

from core.cli.consent import agree_to
from core.errors import UsageError
from core.wire.invite import VERSION, Invite, InvitedHub, write_invite

PUBLIC, ROUTER, PAGE = "https://hub.example", "http://192.168.1.1", "https://hub.example/cgi/reboot"


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def link(*urls: str) -> str:
    return write_invite(Invite(VERSION, "our-class", tuple(map(InvitedHub, urls)), b""))


def test_public_hubs_and_names_need_no_question() -> None:
    """Joining is agreeing to them."""
    agree_to(link(PUBLIC), ())
    agree_to("meadow", ())


@pytest.mark.parametrize("url", [ROUTER, PAGE, "http://localhost:1", "http://2130706433"])
def test_without_a_terminal_it_is_refused_with_what_to_type(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The address is named, and nothing else happens."""
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    with pytest.raises(UsageError) as error:
        agree_to(link(PUBLIC, url), ())
    assert f"add --hub {url}" in str(error.value)


def test_what_was_typed_is_agreed_to() -> None:
    """With --hub or in the settings, however it is spelt."""
    agree_to(link(ROUTER, PAGE), [f"{ROUTER}:80/", PAGE])


@pytest.mark.parametrize("answer", ["y\n", "YES\n"])
def test_yes_is_yes(
    answer: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Asked for each address by itself."""
    monkeypatch.setattr("sys.stdin", Terminal(2 * answer))
    agree_to(link(ROUTER, PAGE), ())
    asked = capsys.readouterr().out.splitlines()
    assert [url in line for url, line in zip((ROUTER, PAGE), asked, strict=True)] == [True] * 2


@pytest.mark.parametrize("answer", ["", "\n", "n\n", "yep\n"])
def test_anything_else_is_no(answer: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The end of the input, too."""
    monkeypatch.setattr("sys.stdin", Terminal(answer))
    with pytest.raises(UsageError, match="Nothing was sent"):
        agree_to(link(ROUTER), ())
