"""What is left out of the frozen app, and what must not be."""

from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

PACKAGING = Path(__file__).resolve().parents[2] / "packaging"


@pytest.fixture
def contents(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(PACKAGING))
    return import_module("contents")


@pytest.mark.parametrize(
    "place",
    [
        "PySide6/Qt/plugins/platforms/libqxcb.so",
        "PySide6/Qt/plugins/platforms/libqoffscreen.so",
        "PySide6/Qt/plugins/imageformats/libqsvg.so",
        "PySide6/Qt/plugins/platforminputcontexts/libibusplatforminputcontextplugin.so",
        "PySide6/Qt/translations/qtbase_zh_CN.qm",
        "PySide6/plugins/platforms/qwindows.dll",
        "PySide6/plugins/styles/qmodernwindowsstyle.dll",
        "torch/lib/libtorch_cpu.so",
        "torch/nn/functional.py",
        "torch/bin/torch_shm_manager",
        "llama_cpp/lib/libllama.so",
        "llama_cpp/lib/libggml.so",
        "llama_cpp/lib/libggml-base.so.0",
        "llama_cpp/lib/libggml-cpu-haswell.so",
        "torch-2.13.0.dist-info/METADATA",
        "resources/models/spark/model.safetensors",
        "libpython3.11.so.1.0",
    ],
)
def test_what_is_needed_is_shipped(contents: ModuleType, place: str) -> None:
    """On all three systems."""
    assert contents.is_wanted(place)


@pytest.mark.parametrize(
    "place",
    [
        "PySide6/Qt/plugins/platformthemes/libqgtk3.so",
        "PySide6/Qt/plugins/platforms/libqeglfs.so",
        "PySide6\\plugins\\sqldrivers\\qsqlite.dll",
        "PySide6/Qt/translations/qtbase_fr.qm",
        "PySide6/Qt/qml/QtQuick/plugin.so",
        "torch/test/libtest.so",
        "torch/bin/protoc",
        "torch/include/ATen/ATen.h",
        "torch/lib/libjitbackend_test.so",
        "llama_cpp/lib/libmtmd.so",
        "llama_cpp/lib/libllama.so.0.5.0",
        "llama_cpp/lib/libggml-base.so.0.25.3",
        "torch-2.13.0.dist-info/RECORD",
        "waggle-0.1.0.dist-info/direct_url.json",
        "networkx/tests/data.txt",
    ],
)
def test_what_nobody_needs_is_not(contents: ModuleType, place: str) -> None:
    """Nor what tells of the machine that it was made on."""
    assert not contents.is_wanted(place)


def test_modules_are_listed_by_their_files(contents: ModuleType, tmp_path: Path) -> None:
    """Without loading any: what cannot be a module, or is unused, is no part of it."""
    package = tmp_path / "some"
    (package / "tests").mkdir(parents=True)
    for name in ("__init__", "part", "not-a-module", "tests/__init__", "tests/one"):
        (package / f"{name}.py").write_text("raise SystemExit('loaded')")
    assert contents.modules_below(package, ("some.tests.",)) == ["some", "some.part"]
