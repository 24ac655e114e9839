import os
import sys
from pathlib import Path
from types import ModuleType

import pytest

from core.errors import ModelError
from core.sampling import llama_library
from core.sampling.llama_library import llama_available, load_for_this_processor, start
from tests.llama_models import needs_llama


@pytest.fixture
def _asked_anew() -> None:
    """Whether the library is there is asked once in a process; here it is asked again."""
    llama_available.cache_clear()


@needs_llama
def test_the_library_is_loaded_once() -> None:
    """However often it is asked for, llama.cpp talks to one listener."""
    assert llama_available()
    assert start() is start()


@pytest.mark.usefixtures("_asked_anew")
def test_not_to_have_it_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything else goes on without it."""
    monkeypatch.setitem(sys.modules, "llama_cpp", None)
    assert not llama_available()
    llama_available.cache_clear()


def test_who_insists_on_it_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """One sentence that says what happened, and one that says what to do."""
    monkeypatch.setattr(llama_library, "llama_available", lambda: False)
    with pytest.raises(ModelError, match=r"not installed here\. Choose another sampler"):
        start.__wrapped__()


@pytest.mark.usefixtures("_asked_anew")
def test_a_library_of_another_machine_is_as_good_as_none(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What its import raises, whatever it is, ends in the log."""

    class Broken(ModuleType):
        def __getattr__(self, name: str) -> object:
            raise OSError(f"{name}: wrong ELF class")

    monkeypatch.setitem(sys.modules, "llama_cpp", Broken("llama_cpp"))
    assert not llama_available()
    assert "wrong ELF class" in caplog.text
    llama_available.cache_clear()


class FakeGgml:
    """ggml with as many backends built in as it is told, which notes where it looks for more."""

    def __init__(self, built_in: int) -> None:
        self.built_in = built_in
        self.looked_in: list[bytes] = []

    def ggml_backend_reg_count(self) -> int:
        return self.built_in

    def ggml_backend_load_all_from_path(self, folder: bytes) -> None:
        self.looked_in.append(folder)


def test_what_computes_is_looked_for_beside_the_library_only(tmp_path: Path) -> None:
    """Where nothing is built in, and never in the working directory."""
    in_parts, for_one_machine = FakeGgml(built_in=0), FakeGgml(built_in=1)
    for ggml in (in_parts, for_one_machine):
        load_for_this_processor(ggml, tmp_path)
    assert in_parts.looked_in == [os.fsencode(tmp_path)]
    assert for_one_machine.looked_in == []
