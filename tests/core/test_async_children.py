"""Processes that an event loop has started."""

import asyncio
import subprocess
import sys

import psutil

from core.async_children import kill_and_wait

HOLDER = "import sys; sys.stdin.read()"
PARENT = f"""
import subprocess, sys
print(subprocess.Popen([sys.executable, "-c", {HOLDER!r}]).pid, flush=True)
{HOLDER}
"""


async def start(code: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", code), stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )


async def test_who_else_holds_its_pipes_holds_nobody_up() -> None:
    """A process is gone at once, and its own child is told by the end of its input."""
    process = await start(PARENT)
    assert process.stdout is not None
    child = psutil.Process(int(await process.stdout.readline()))
    async with asyncio.timeout(20):
        await kill_and_wait(process)
    assert process.returncode
    await asyncio.to_thread(child.wait, 20)


async def test_what_has_ended_is_left_alone() -> None:
    """However it ended, and however often it is asked."""
    process = await start("raise SystemExit(3)")
    await process.wait()
    for _ in range(2):
        await kill_and_wait(process)
    assert process.returncode == 3
