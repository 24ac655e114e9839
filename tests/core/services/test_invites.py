"""Invites for the window: read, made, and drawn."""

from contextlib import suppress
from pathlib import Path

import msgspec
import pytest
import segno
from hypothesis import given
from hypothesis import strategies as st

from core.api.swarm import (
    CheckHub,
    Destination,
    DoubtfulHub,
    HubChecked,
    InviteMade,
    InviteShown,
    MakeInvite,
    ShowInvite,
    ShowSwarm,
    SwarmShown,
)
from core.errors import HomeError, UsageError
from core.net.addresses import parse_hub_url
from core.paths import Home
from core.services.invites import draw_qr, invite_to, qr_rows, read_hub, spell_hub
from core.services.service import ServiceContext
from core.settings import Settings, SwarmSettings, save_settings
from core.swarm.directory import load_swarms
from core.wire.invite import VERSION, Invite, InvitedHub, read_invite, write_invite
from core.wire.names import friendly_name
from tests.asking_services import answer_to, answers_to
from tests.envelopes import ANNE, BOB

HUB = "https://hub.example.org"
KNOWN_HUB = f"{HUB}#{ANNE.peer_id}"


async def made(place: ServiceContext, request: MakeInvite) -> InviteMade:
    return await answer_to(request, place, InviteMade)


async def shown(place: ServiceContext, link: str) -> InviteShown:
    return await answer_to(ShowInvite(link=link), place, InviteShown)


async def test_what_a_person_has_to_agree_to_is_named(place: ServiceContext) -> None:
    """Each address that leads inside, or to some page of a server; nobody is asked anything yet."""
    hubs = [KNOWN_HUB, "http://192.168.1.5:8765", "http://localhost:631", f"{HUB}/cgi/reboot"]
    answer = await shown(place, write_invite(invite_to("our-class", hubs, private=True)))
    assert answer.doubtful == (
        DoubtfulHub("http://192.168.1.5:8765", "own_network"),
        DoubtfulHub("http://localhost:631", "own_computer"),
        DoubtfulHub(f"{HUB}/cgi/reboot", "path"),
    )
    assert (await shown(place, "meadow")).doubtful == ()


async def found(place: ServiceContext) -> SwarmShown:
    return await answer_to(ShowSwarm(), place, SwarmShown)


async def test_the_swarm_of_the_settings_is_shown(place: ServiceContext) -> None:
    """With those on offer, and the blocked by their friendly names."""
    before = await found(place)
    assert before.swarm == Destination(name="meadow", wire="meadow", is_private=False)
    assert [one.name for one in before.offered] == [one.name for one in load_swarms()]
    link = write_invite(invite_to("our-class", [KNOWN_HUB], private=True))
    swarm = SwarmSettings(name=link, blocked=(BOB.peer_id,))
    save_settings(Settings(swarm=swarm), place.home.settings)
    after = await found(place)
    swarm_now = after.swarm
    assert (swarm_now.name, swarm_now.is_private) == ("our-class", True)
    assert swarm_now.hubs == (KNOWN_HUB,)
    assert [one.name for one in after.blocked] == [friendly_name(BOB.peer_id)]


async def test_a_private_swarm_gets_a_secret_of_its_own(place: ServiceContext) -> None:
    """Two of the same name are two swarms."""
    request = MakeInvite(swarm="our-class", hubs=(HUB,), is_private=True)
    one, other = await made(place, request), await made(place, request)
    assert one.swarm.is_private
    assert one.swarm.wire != other.swarm.wire
    assert read_invite(one.link).swarm == one.swarm.wire


async def test_an_invite_to_an_open_swarm_has_no_secret(place: ServiceContext) -> None:
    """Its name on the wire is the one that everybody knows."""
    answer = await made(place, MakeInvite(swarm="meadow"))
    assert answer.swarm == Destination(name="meadow", wire="meadow", is_private=False)


async def test_a_copy_of_an_invite_leads_to_the_same_swarm(place: ServiceContext) -> None:
    """With its meeting points and new ones; what is said anew about one counts."""
    first = await made(place, MakeInvite(swarm="our-class", hubs=(HUB,), is_private=True))
    copy = await made(place, MakeInvite(swarm=first.link, hubs=("http://10.0.0.5:1", KNOWN_HUB)))
    assert copy.swarm.wire == first.swarm.wire
    assert copy.swarm.hubs == ("http://10.0.0.5:1", KNOWN_HUB)


async def test_what_an_invite_says_is_shown_without_its_secret(place: ServiceContext) -> None:
    """The page never needs it; the link that is kept is spelt in one way only."""
    link = write_invite(invite_to("our-class", [KNOWN_HUB], private=True))
    answer = await shown(place, f"  {link}/ ")
    assert answer.link == link
    assert read_invite(link).secret.hex() not in str(msgspec.to_builtins(answer.swarm))
    assert (answer.swarm.is_private, answer.swarm.hubs) == (True, (KNOWN_HUB,))


async def test_the_name_of_an_open_swarm_is_read_like_an_invite(place: ServiceContext) -> None:
    """A person may type either."""
    assert (await shown(place, "pond")).swarm.wire == "pond"


@pytest.mark.parametrize("link", ["", "No Name", "waggle://join/abc", "https://example.org", "\0"])
async def test_what_leads_nowhere_is_said_in_words(place: ServiceContext, link: str) -> None:
    """And nothing else is answered."""
    with pytest.raises(UsageError):
        await shown(place, link)


@pytest.mark.parametrize(
    "url",
    [
        "hub",
        "ftp://hub.example.org",
        "https://good.example@evil.example",
        "https://hub.example.org\nYour password:",
        "https://hub.example.org/\u202egro.elpmaxe",
        "http://h\u00fcb.example",
        "x" * 300,
    ],
)
async def test_an_invite_that_no_run_could_follow_is_refused(
    place: ServiceContext, url: str
) -> None:
    """Before it gets into the settings, where every later start would fail on it."""
    fine = InvitedHub("https://hub.example.org")
    link = write_invite(Invite(VERSION, "meadow", (fine, InvitedHub(url))))
    with pytest.raises(UsageError, match=r"no proper address.*Ask for a new invite\.$") as refused:
        await shown(place, link)
    assert str(refused.value).isprintable()


@given(st.text(min_size=1, max_size=300))
async def test_whatever_invite_is_shown_can_be_followed(url: str) -> None:
    """Any text may stand where an address belongs."""
    link = write_invite(Invite(VERSION, "meadow", (InvitedHub(url),)))
    with suppress(UsageError):
        await shown(ServiceContext(Home(Path("nowhere"))), link)
        assert parse_hub_url(url).url.isprintable()


async def test_an_address_is_looked_at_before_it_is_kept(place: ServiceContext) -> None:
    """It comes back as the settings keep it; what no run could use is refused in words."""
    assert await answers_to(CheckHub(url=f" {HUB}/ "), place) == [HubChecked(url=HUB)]
    for url in ("hub.example.org", "https://hub.example.org/\u202egro", KNOWN_HUB):
        with pytest.raises(UsageError, match="is no address of a meeting point"):
            await answers_to(CheckHub(url=url), place)


@given(st.text(max_size=2_000))
async def test_any_text_is_read_or_refused_in_words(link: str) -> None:
    """Whatever was pasted; what is read can be sent."""
    try:
        await shown(ServiceContext(Home(Path("nowhere"))), link)
    except UsageError as error:
        assert str(error).endswith(".")  # noqa: PT017 - most texts are refused, a few are names


@pytest.mark.parametrize("text", [HUB, KNOWN_HUB, "http://[fd00::2]:8765"])
def test_a_hub_is_spelt_as_it_is_read(text: str) -> None:
    """Address, and the id where one is known."""
    assert spell_hub(read_hub(text)) == text


@pytest.mark.parametrize("text", ["hub", f"{HUB}#12", f"{HUB}#{'g' * 64}", "", "#" + "a" * 64])
def test_what_is_no_hub_is_refused(text: str) -> None:
    """Before anything is made of it."""
    with pytest.raises(UsageError):
        read_hub(text)


def test_the_code_is_that_of_the_link() -> None:
    """Module for module, and square."""
    link = write_invite(invite_to("our-class", [KNOWN_HUB], private=True))
    rows = qr_rows(link)
    assert {len(row) for row in rows} == {len(rows)}
    matrix = segno.make(link, micro=False, error="m").matrix
    assert [[cell == "1" for cell in row] for row in rows] == [[bool(c) for c in r] for r in matrix]


def test_a_picture_that_cannot_be_made_is_refused(tmp_path: Path) -> None:
    """By its kind, or by its place."""
    with pytest.raises(UsageError, match=r"\.png or \.svg"):
        draw_qr("waggle://join/abc", tmp_path / "invite.gif")
    with pytest.raises(HomeError, match="cannot be written"):
        draw_qr("waggle://join/abc", tmp_path / "nowhere" / "invite.png")
