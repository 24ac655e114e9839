"""What this machine offers a model."""

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import psutil
import pytest
import torch

from core.models.catalog.catalog import SMALL_MODEL, load_models
from core.models.memory.compute import choose_compute
from core.models.memory.machine import (
    ask_nvidia,
    can_quantize,
    large_model_machine,
    machine_for,
    multiplies_bf16,
    nvidia_free_bytes,
    processor_flags,
    processor_machine,
    processor_name,
    torch_speaks_cuda,
    wished_device,
)
from core.paths import Home
from core.settings import load_settings

posix_only = pytest.mark.skipif(os.name == "nt", reason="a tool made of a shell script")

CUDA_BUILD = (
    "from typing import Optional\n__version__ = '2.13.0+cu130'\ncuda: Optional[str] = '13.0'"
)
CPU_BUILD = "from typing import Optional\n__version__ = '2.13.0+cpu'\ncuda: Optional[str] = None"


@pytest.fixture
def driver(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A driver's tool of our own, alone on the path."""
    tool = tmp_path / "nvidia-smi"
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.delenv("CUDA_VISIBLE_DEVICES", raising=False)
    return tool


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The version file of a torch of our own, found before the one that is installed."""
    package = tmp_path / "site" / "torch"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("raise ImportError('nobody should import this')")
    monkeypatch.delitem(sys.modules, "torch")  # or that one would be found
    monkeypatch.syspath_prepend(str(package.parent))
    return package / "version.py"


def says(tool: Path, script: str) -> None:
    tool.write_text(f"#!/bin/sh\n{script}\n")
    tool.chmod(0o755)


@posix_only
def test_windows_is_not_asked_for_programs_of_the_working_directory(
    tmp_path: Path, driver: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It would look there first, and whatever is called so would be run."""
    says(driver, "echo 1")
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("SYSTEMROOT", str(tmp_path))
    assert ask_nvidia() == ""
    (tmp_path / "System32").mkdir()
    says(tmp_path / "System32" / "nvidia-smi.exe", "echo 2")
    assert ask_nvidia() == "2\n"


def test_the_processor_has_the_memory_that_is_free() -> None:
    """Not more than there is in all; weights of two bytes or four."""
    machine = processor_machine()
    assert machine.device == "cpu"
    assert 0 < machine.memory <= psutil.virtual_memory().total
    assert machine.weight_bytes in (2, 4)
    assert machine.bytes_per_weight(load_models().get("spark")) == 4


@pytest.mark.parametrize(("floor", "left"), [("", 300), ("memory_floor_mb = 0", 800)])
def test_memory_below_which_practice_pauses_is_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, floor: str, left: int
) -> None:
    """A model that took it, too, would make its own node pause, perhaps for ever."""
    free = SimpleNamespace(available=800 * 10**6)
    monkeypatch.setattr("psutil.virtual_memory", lambda: free)
    (tmp_path / "settings.toml").write_text(f'[compute]\ndevice = "cpu"\n[rules]\n{floor}\n')
    settings = load_settings(tmp_path / "settings.toml")
    for name in ("spark", "qwen2.5-0.5b"):
        assert machine_for(load_models().get(name), settings).memory == left * 10**6
    assert processor_machine(spared=10**9).memory == 0


def test_torch_is_given_the_device_that_was_promised() -> None:
    """On this very machine, whatever it has: the estimate is one for the device that is used."""
    assert torch_speaks_cuda() == (torch.version.cuda is not None)
    assert large_model_machine().device == choose_compute(SMALL_MODEL).device.type


@pytest.mark.parametrize(
    ("content", "speaks"),
    [
        (CUDA_BUILD, True),
        ("cuda = '12.8'", True),
        (CPU_BUILD, False),
        ("cuda = None\nhip = '6.4'", False),
        ("version = '2.13.0'", False),
        ("cuda = ", False),
    ],
)
def test_the_build_of_torch_is_read_and_not_imported(
    build: Path, content: str, *, speaks: bool
) -> None:
    """From its version file; a file that says nothing is none for a card."""
    build.write_text(content)
    assert torch_speaks_cuda() is speaks
    assert "torch" not in sys.modules


def test_a_torch_without_a_version_file_speaks_no_cuda(build: Path) -> None:
    """It is damaged, and no error of ours."""
    assert not build.exists()
    assert torch_speaks_cuda() is False


@posix_only
def test_a_card_is_asked_for_its_free_memory(driver: Path, build: Path) -> None:
    """In mebibytes, of the first card."""
    build.write_text(CUDA_BUILD)
    says(driver, "echo 8000")
    assert nvidia_free_bytes() == 8000 << 20
    machine = large_model_machine()
    assert (machine.device, machine.memory, machine.weight_bytes) == ("cuda", 8000 << 20, 2)


@posix_only
@pytest.mark.parametrize("installed", [True, False])
def test_weights_can_be_quantized_on_a_card_where_the_library_is(
    driver: Path, build: Path, *, installed: bool
) -> None:
    """It is looked for, and not imported: it loads libraries of its own."""
    build.write_text(CUDA_BUILD)
    says(driver, "echo 8000")
    library = build.parent.parent / "bitsandbytes"
    if installed:
        library.mkdir()
        (library / "__init__.py").write_text("raise ImportError('nobody should import this')")
    elif can_quantize():
        pytest.skip("it is installed")
    assert large_model_machine().can_quantize == installed


@posix_only
def test_a_card_that_torch_cannot_use_does_not_count(driver: Path, build: Path) -> None:
    """A build for processors trains there, beside the best card: so on Windows by default."""
    build.write_text(CPU_BUILD)
    says(driver, "echo 8000")
    assert large_model_machine().device != "cuda"


@posix_only
@pytest.mark.parametrize("script", ["exit 9", "echo", "echo unknown >&2; exit 1", "echo [Unknown]"])
def test_a_driver_that_does_not_tell_is_none(driver: Path, script: str) -> None:
    """Its errors are no errors of ours."""
    says(driver, script)
    assert nvidia_free_bytes() is None


@posix_only
def test_a_card_without_memory_of_its_own_has_the_computers(driver: Path) -> None:
    """Its driver then says that the question does not apply."""
    says(driver, "echo '[N/A]'")
    free = nvidia_free_bytes()
    assert free is not None
    assert 0 < free <= psutil.virtual_memory().total


def test_without_a_driver_there_is_no_card(driver: Path) -> None:
    """Most computers."""
    assert not driver.exists()
    assert nvidia_free_bytes() is None


@posix_only
@pytest.mark.parametrize(
    ("visible", "asked"), [("1,0", "1"), (" 2 ", "2"), ("GPU-8f3a,GPU-77", "GPU-8f3a"), (None, "0")]
)
def test_the_first_card_that_may_be_seen_is_asked(
    driver: Path, monkeypatch: pytest.MonkeyPatch, visible: str | None, asked: str
) -> None:
    """CUDA_VISIBLE_DEVICES decides, by number or by name; without it the first of all."""
    if visible is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    says(driver, f'case "$*" in *--id={asked}) echo 700;; *) echo 1;; esac')
    assert nvidia_free_bytes() == 700 << 20


@posix_only
@pytest.mark.parametrize(
    ("visible", "asked"), [(None, "1"), ("3, GPU-8f3a", "GPU-8f3a"), ("3", None), ("3,-1,0", None)]
)
def test_the_card_that_was_chosen_is_asked(
    driver: Path, monkeypatch: pytest.MonkeyPatch, visible: str | None, asked: str | None
) -> None:
    """The second of those that may be seen, not the second of all."""
    if visible is not None:
        monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    says(driver, f'case "$*" in *--id={asked}) echo 700;; *) echo 1;; esac')
    assert nvidia_free_bytes(1) == (None if asked is None else 700 << 20)


@posix_only
def test_whoever_wants_the_processor_gets_its_memory(driver: Path, build: Path) -> None:
    """And so does who wants a card that is not there."""
    build.write_text(CUDA_BUILD)
    says(driver, 'case "$*" in *--id=0) echo 8000;; *) exit 6;; esac')
    assert large_model_machine("cuda:0").device == "cuda"
    assert large_model_machine("cuda:1").device != "cuda"
    assert large_model_machine("cpu").device == "cpu"


def test_the_settings_name_the_device(tmp_path: Path) -> None:
    """Where they can be read; else the computer decides."""
    home = Home(tmp_path)
    assert wished_device(home) == "auto"
    home.settings.write_text('[compute]\ndevice = "cuda:1"\n')
    assert wished_device(home) == "cuda:1"
    home.settings.write_text('[compute]\ndevice = "toaster"\n')
    assert wished_device(home) == "auto"


@posix_only
@pytest.mark.parametrize("visible", ["", "-1", "-1,0", "none"])
def test_a_hidden_card_is_no_card(
    driver: Path, monkeypatch: pytest.MonkeyPatch, visible: str
) -> None:
    """Somebody wants the processor to be used."""
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", visible)
    says(driver, "echo 8000")
    assert nvidia_free_bytes() is None


@pytest.mark.parametrize(
    ("flags", "native"),
    [
        ({"sse2", "avx2"}, False),
        ({"avx512f", "avx512_bf16"}, True),
        ({"amx_tile", "amx_bf16"}, True),
        (set(), False),
    ],
)
def test_half_precision_only_where_the_processor_multiplies_it(
    flags: set[str], *, native: bool
) -> None:
    """Elsewhere bfloat16 is emulated, and slower than float32."""
    assert multiplies_bf16(frozenset(flags)) is native


def test_flags_are_words() -> None:
    """None where the system does not tell."""
    assert all(flag.strip() == flag != "" for flag in processor_flags())


def test_asking_loads_no_torch() -> None:
    """Listing models is quick."""
    code = (
        "import sys; from core.models.memory import machine; machine.processor_flags();"
        "sys.exit('torch' in sys.modules)"
    )
    assert subprocess.call([sys.executable, "-c", code]) == 0  # noqa: S603 - lines above


def test_the_processor_is_found_by_its_name(tmp_path: Path) -> None:
    """Linux tells it once for every core."""
    info = tmp_path / "cpuinfo"
    info.write_text("processor : 0\nmodel name\t: Abacus 3000\n\nmodel name\t: Abacus 3000\n")
    assert processor_name(info) == "Abacus 3000"
