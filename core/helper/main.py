"""The helper's process: requests come in on stdin, answers go out on what was stdout."""

import argparse
import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from io import RawIOBase
from pathlib import Path
from typing import BinaryIO

from core.api.pipe import MAX_LINE, encode
from core.api.protocol import decode_request, number_in
from core.api.requests import Reply, Request
from core.errors import WaggleError, WireError
from core.helper.dispatcher import Dispatcher
from core.helper.routes import ROUTES
from core.logs import log_to_file
from core.net.proxy import use_proxy
from core.paths import Home, default_home
from core.pipes import Leash, claim_stdout, read_lines, send_line
from core.services.service import ServiceContext
from core.settings import load_settings

GRACE_S = 2.5  # for what services put away, after the window is gone

_log = logging.getLogger(__name__)


async def read_requests(source: RawIOBase) -> AsyncIterator[Request]:
    """Requests from ``source`` until it ends; lines that are none are logged.

    Of one that has a number, the bare ``Request`` is left, so that somebody refuses it.
    """
    async for line in read_lines(source, MAX_LINE):
        try:
            yield decode_request(line)
        except WireError as error:
            _log.warning("Ignoring a line that is no request: %s", error)
            if number := number_in(line):
                yield Request(id=number)


def sender(channel: BinaryIO) -> Callable[[Reply], None]:
    """A function that writes replies to ``channel``.

    Raises:
        ValueError: an answer does not fit into a line; nothing was written.
    """

    def send(answer: Reply) -> None:
        line = encode(answer)
        if len(line) > MAX_LINE:
            raise ValueError(f"{type(answer).__name__} takes {len(line)} bytes")
        send_line(channel, line)

    return send


def main() -> int:
    """Serve the window that started this process."""
    channel = claim_stdout()
    parser = argparse.ArgumentParser(prog="waggle-helper", description=__doc__)
    parser.add_argument("--home", type=Path, default=default_home().root)
    home = Home(parser.parse_args().home)
    with suppress(WaggleError):  # a service that needs the home says so in words
        home.prepare()
        log_to_file(home, "helper")
    with suppress(WaggleError):  # told by services that need the settings
        use_proxy(load_settings(home.settings).network.proxy)
    requests = read_requests(Leash(GRACE_S))
    with suppress(KeyboardInterrupt):  # Ctrl-C in the terminal that opened the window
        asyncio.run(Dispatcher(ServiceContext(home), ROUTES, sender(channel)).serve(requests))
    return 0
