"""A stand-in for the helper's requests: the real helper in a real process, with requests made up.

    python -m tests.fake_helper --home DIR

``Act`` says how its request behaves; of what the real helper can do, only earlier rounds are looked
up here, and the rest is refused. Progress is told as that of a download, since the window knows no
made-up answers.
"""

import asyncio
import contextlib
import os
import sys
import time
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Literal

import msgspec

from core.api.models import ModelProgress
from core.api.pipe import MAX_LINE, decode
from core.api.practice import ShowHistory, TakeExam
from core.api.protocol import AnyRequest
from core.api.requests import Done, Refused, Request
from core.errors import ModelError
from core.helper.dispatcher import Dispatcher
from core.helper.main import sender
from core.paths import Home
from core.pipes import Leash, claim_stdout, read_lines
from core.services.contribution import show_history
from core.services.service import SendReply, Service, ServiceContext

Deed = Literal["greet", "refuse", "work", "block", "hang", "die", "garbage", "mangle", "overflow"]
STARTS_FILE = "fake-helper-starts"  # a line for every life
PUT_AWAY_FILE = "fake-helper-put-away"  # written by a request that was ended
GRACE_S = 0.2
PROGRESS = ModelProgress(stage="downloading", done=1, total=2)


class Act(Request, frozen=True, tag="act"):
    """Behave like this."""

    deed: Deed


async def act(request: Act, place: ServiceContext, tell: SendReply) -> None:
    """Do what the request says."""
    match request.deed:
        case "greet":
            tell(Done(words="hello"))
        case "refuse":
            raise ModelError("There is no such model. Choose another one.")
        case "work" | "block" | "hang":
            tell(PROGRESS)
            await labour(request.deed, place)
        case "die":
            sys.stderr.write("RuntimeError: a made-up traceback\n")
            os._exit(3)
        case "garbage":
            os.write(CHANNEL.fileno(), b"a native library prints\n{broken json\n\xff\xfe\n")
        case "mangle":
            tell(Refused(words="", kind="longer than an error's name may be" * 2))
        case "overflow":
            tell(Done(words="x" * MAX_LINE))


async def labour(deed: Deed, place: ServiceContext) -> None:
    """Never come to an end by itself: as a request may, in a thread, or holding up all others."""
    if deed == "block":
        await asyncio.to_thread(time.sleep, 3_600)
    if deed == "hang":
        time.sleep(3_600)  # noqa: ASYNC251 - that it should not is what is tried here
    try:
        await asyncio.Event().wait()
    finally:
        (place.home.root / PUT_AWAY_FILE).touch()


async def examine(_request: TakeExam, place: ServiceContext, _tell: SendReply) -> None:
    """Take long."""
    await labour("work", place)


async def requests() -> AsyncIterator[Request]:
    """What the window writes."""
    decoder: msgspec.json.Decoder[Act | AnyRequest] = msgspec.json.Decoder(Act | AnyRequest)
    async for line in read_lines(Leash(GRACE_S), MAX_LINE):
        yield decode(decoder, line)


if __name__ == "__main__":
    CHANNEL = claim_stdout()
    home = Home(Path(sys.argv[sys.argv.index("--home") + 1]))
    with (home.root / STARTS_FILE).open("a", encoding="utf-8") as starts:
        starts.write(f"{os.getpid()}\n")
    routes: dict[type[Request], Service[Any]] = {
        Act: act,
        ShowHistory: show_history,
        TakeExam: examine,
    }
    helper = Dispatcher(ServiceContext(home), routes, sender(CHANNEL))
    with contextlib.suppress(KeyboardInterrupt):
        asyncio.run(helper.serve(requests()))
