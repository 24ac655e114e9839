"""This machine for a model's training: device, free memory there, and the weights' precision.

Asked without torch, so that models are listed at once. ``core.models.memory.compute`` asks torch
itself when a model is loaded; both name the same device, but for cards that are not NVIDIA's.
"""

import ast
import os
import platform
import shutil
import subprocess
import sys
from importlib.util import find_spec
from itertools import takewhile
from pathlib import Path
from typing import Final

from core.children import NO_WINDOW
from core.models.catalog.catalog import ModelSpec
from core.models.memory.fit import FLOAT32, HALF, Machine, Rounds
from core.models.memory.free import free_memory
from core.paths import Home
from core.settings import DeviceChoice, Settings, SettingsFile

_BF16_FLAGS: Final = frozenset({"amx_bf16", "avx512_bf16"})


def multiplies_bf16(flags: frozenset[str]) -> bool:
    """Whether a processor with ``flags`` multiplies bfloat16 natively; others emulate it."""
    return bool(flags & _BF16_FLAGS)


def processor_flags() -> frozenset[str]:
    """What Linux says that the processor can do; empty elsewhere, where only torch knows.

    There a list counts four bytes a weight on every processor: too many for some, never too few.
    """
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return frozenset()
    flags = next((line for line in lines if line.startswith("flags")), "")
    return frozenset(flags.partition(":")[2].split())


def processor_name(cpuinfo: Path = Path("/proc/cpuinfo")) -> str:
    """The processor's own name; may be empty."""
    try:
        lines = cpuinfo.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return platform.processor()
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor()


_TIMEOUT_S: Final = 5.0
_MEBIBYTE: Final = 1 << 20


def can_quantize() -> bool:
    """Whether bitsandbytes is installed, which quantises weights into four bits; not imported."""
    return find_spec("bitsandbytes") is not None


def processor_machine(spared: int = 0) -> Machine:
    """The processor and the memory that is free now, but for ``spared`` bytes left to others."""
    width = HALF if multiplies_bf16(processor_flags()) else FLOAT32
    return Machine("cpu", free_memory(spared), width)


def large_model_machine(wish: DeviceChoice = "auto", spared: int = 0) -> Machine:
    """Where a model that is not small would be trained: a graphics card if torch can use one.

    ``spared`` bytes of this computer's memory are left to others; a card has memory of its own.
    Where the one of ``wish`` is not here, the processor: a list of models should come all the same.
    """
    if wish == "auto" or wish.startswith("cuda"):
        number = int(wish.partition(":")[2] or 0)
        free = nvidia_free_bytes(number) if torch_speaks_cuda() else None
        if free is not None:
            return Machine("cuda", free, HALF, can_quantize=can_quantize())
    is_apple = sys.platform == "darwin" and platform.machine() == "arm64"
    if is_apple and wish in ("auto", "mps"):
        return Machine("mps", free_memory(spared), HALF)  # it shares the memory
    return processor_machine(spared)


def wished_device(home: Home) -> DeviceChoice:
    """What the settings of ``home`` say; those that cannot be read say nothing."""
    return SettingsFile(home.settings).current().compute.device


def rounds_by(settings: Settings) -> Rounds:
    """The rounds that would be played by ``settings``."""
    return Rounds(settings.practice.local_groups, settings.practice.group_size)


def machine_for(spec: ModelSpec, settings: Settings | None = None) -> Machine:
    """Where ``spec`` would be trained by ``settings``: small models stay on the processor.

    Without the memory below which practice pauses: what takes that, too, would pause itself.
    """
    settings = settings or Settings()
    spared = settings.rules.memory_floor
    if spec.is_small:
        return processor_machine(spared)
    return large_model_machine(settings.compute.device, spared)


def torch_speaks_cuda() -> bool:
    """Whether the torch that is installed is one for NVIDIA cards; it is not imported."""
    found = find_spec("torch")
    for folder in (found and found.submodule_search_locations) or ():
        try:
            tree = ast.parse((Path(folder) / "version.py").read_bytes())
        except (OSError, SyntaxError, ValueError):
            continue
        return any(_names_cuda(statement) for statement in tree.body)
    return False


def _names_cuda(statement: ast.stmt) -> bool:
    """Whether ``statement`` is ``cuda = "12.8"``, typed or not; other builds assign None."""
    targets: list[ast.expr]
    if isinstance(statement, ast.AnnAssign):
        targets = [statement.target]
    elif isinstance(statement, ast.Assign):
        targets = statement.targets
    else:
        return False
    is_cuda = any(isinstance(target, ast.Name) and target.id == "cuda" for target in targets)
    return is_cuda and isinstance(statement.value, ast.Constant) and bool(statement.value.value)


def nvidia_free_bytes(number: int = 0) -> int | None:
    """Free memory of that one of the NVIDIA cards that may be used.

    None without it, or where its driver does not tell.
    """
    card = visible_card(number)
    if card is None:
        return None
    told = ask_nvidia("--query-gpu=memory.free", "--format=csv,noheader,nounits", f"--id={card}")
    try:
        words = told.split()[0]
        if words == "[N/A]":  # it shares the computer's memory, as small boards do
            return free_memory()
        return int(words) * _MEBIBYTE
    except (ValueError, IndexError):
        return None


def ask_nvidia(*options: str) -> str:
    """What the driver's own tool prints; nothing without it, or where it fails."""
    if sys.platform == "win32":  # where which() looks into the working directory first
        system = Path(os.environ.get("SYSTEMROOT", r"C:\Windows"), "System32")
        tool: str | None = str(system / "nvidia-smi.exe")
    else:
        tool = shutil.which("nvidia-smi")
    if tool is None:
        return ""
    try:
        answer = subprocess.run(  # noqa: S603 - the driver's own
            [tool, *options],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            creationflags=NO_WINDOW,
            timeout=_TIMEOUT_S,
            check=True,
        )
    except (OSError, subprocess.SubprocessError, ValueError):
        return ""
    return answer.stdout


def visible_card(number: int) -> str | None:
    """The driver's number or name of torch's card ``number``; None: torch sees no such card.

    CUDA_VISIBLE_DEVICES may hide cards and change their order; what follows one that is none is
    hidden.
    """
    visible = os.environ.get("CUDA_VISIBLE_DEVICES")
    if visible is None:
        return str(number)
    cards = list(takewhile(_names_a_card, map(str.strip, visible.split(","))))
    return cards[number] if number < len(cards) else None


def _names_a_card(word: str) -> bool:
    return word.isdecimal() or word.startswith("GPU-")
