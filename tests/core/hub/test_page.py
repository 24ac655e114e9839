"""The hub's page for people, as text and in a real browser."""

import asyncio
import re
import shutil
import subprocess
from contextlib import aclosing
from pathlib import Path

import aiohttp
import pytest

from core.hub.census import SwarmView, View
from core.hub.page import MOST_SHOWN, render_page
from core.hub.reception import Clocks
from core.hub.server import serving
from core.hub.sqlite_store import MEMORY, SqliteStore
from core.wire.codec import encode
from core.wire.exchange import MEDIA_TYPE, ExchangeRequest
from tests.envelopes import FakeClock, identity, sealed

BROWSER = shutil.which("chromium") or shutil.which("google-chrome")
needs_browser = pytest.mark.skipif(BROWSER is None, reason="there is no Chromium here")


def test_the_figures_of_a_swarm_are_on_the_page() -> None:
    """With a dash where nobody said how it does, and the singular for one."""
    page = render_page(
        View((SwarmView("meadow", 1_234, 56.7, 0.314), SwarmView("b", 1, 0, None)), 1)
    )
    assert "<h2>meadow</h2>" in page
    assert "31&thinsp;%" in page
    assert "1,234" in page
    assert "<dt>node</dt><dd>1</dd>" in page
    assert "&ndash;" in page
    assert "1 private swarm." in page


def test_nothing_in_a_name_becomes_markup() -> None:
    """The wire lets no such name in; the page does not rely on it."""
    page = render_page(View((SwarmView("<script>x</script>", 1, 1, 0.5),), 0))
    assert "<script>" not in page


def test_a_long_list_ends() -> None:
    """And says how many there are besides."""
    swarms = tuple(SwarmView(f"s{n}", 1, 1, None) for n in range(MOST_SHOWN + 7))
    page = render_page(View(swarms, 0))
    assert page.count("<section>") == MOST_SHOWN
    assert "And 7 more swarms." in page


async def test_an_empty_hub_is_an_open_door() -> None:
    """Not a table of zeros; and a browser may do nothing but show it."""
    async with (
        aclosing(SqliteStore(MEMORY)) as store,
        serving(store) as url,
        aiohttp.ClientSession() as session,
        session.get(url) as response,
    ):
        assert "The door is open" in await response.text()
        assert "default-src 'none'" in response.headers["Content-Security-Policy"]


@needs_browser
async def test_a_browser_shows_what_nodes_said(tmp_path: Path) -> None:
    """Headless Chromium runs the page under its own policy: styled, and with today's figures."""
    clock = FakeClock()
    async with (
        aclosing(SqliteStore(MEMORY, clock=clock)) as store,
        serving(store, clocks=_clocks(clock)) as url,
        aiohttp.ClientSession() as session,
    ):
        for number, score in ((0, 0.2), (1, 0.3), (2, 0.4)):
            who = identity(number)
            body = ExchangeRequest(
                bytes.fromhex(who.peer_id), 0, (sealed(who, 1), sealed(who, 2)), score=score
            )
            headers = {"Content-Type": MEDIA_TYPE}
            await session.post(
                f"{url}/v1/swarms/meadow/exchange", data=encode(body), headers=headers
            )
        shown = await asyncio.to_thread(_look_at, url, tmp_path)
    words = re.sub(r"<[^>]+>", " ", shown)
    assert re.search(r"30\s%", words), words
    assert re.search(r"3\s+nodes|nodes\s+3", words)
    assert "Refused to apply inline style" not in shown
    assert (tmp_path / "page.png").stat().st_size > 5_000


def _clocks(clock: FakeClock) -> Clocks:
    return Clocks(wall=clock)


def _look_at(url: str, folder: Path) -> str:
    """What the browser made of the page."""
    assert BROWSER is not None
    command = [BROWSER, "--headless=new", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"]
    command += [f"--user-data-dir={folder}/profile", "--window-size=900,700"]
    subprocess.run(  # noqa: S603 - a browser of the system on a page of ours
        [*command, f"--screenshot={folder}/page.png", url],
        check=True,
        capture_output=True,
        timeout=60,
    )
    done = subprocess.run(  # noqa: S603 - the same
        [*command, "--dump-dom", url], check=True, capture_output=True, text=True, timeout=60
    )
    return done.stdout + done.stderr
