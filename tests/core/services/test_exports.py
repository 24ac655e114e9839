"""Taking a model away, as the helper does it."""

import asyncio
from pathlib import Path

import pytest

from core.api.models import ExportModel, Form, ModelDone, ModelProgress, Quant
from core.errors import MemoryShortError, UnknownModelError, UsageError
from core.models.catalog.catalog import load_models
from core.services import exports, progress
from core.services.exports import export_model, export_sizes, require_memory
from core.services.service import ServiceContext
from core.storage.files import size_of
from tests.asking_services import answers_to


@pytest.mark.parametrize(
    ("form", "quant"), [("gguf", "f16"), ("gguf", "q8_0"), ("peft", "f16"), ("merged", "f16")]
)
async def test_each_form_is_written_in_about_the_size_that_was_said(
    place: ServiceContext, tmp_path: Path, form: Form, quant: Quant
) -> None:
    """Told beforehand without loading anything; give or take the tokenizer."""
    out = tmp_path / "out"
    request = ExportModel(model="spark", form=form, quant=quant, path=str(out))
    told = await answers_to(request, place)
    size = size_of(out)
    assert told[-1] == ModelDone(size=size, path=str(out))
    sizes = export_sizes(load_models().get("spark"))
    said = {
        ("gguf", "f16"): sizes.gguf,
        ("gguf", "q8_0"): sizes.gguf_q8_0,
        ("peft", "f16"): sizes.peft,
        ("merged", "f16"): sizes.merged,
    }[form, quant]
    assert 0.8 * size < said < 1.25 * size


async def test_writing_is_watched(
    place: ServiceContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From nothing to the whole."""
    monkeypatch.setattr(progress, "EVERY_S", 0.001)
    request = ExportModel(model="ember", form="gguf", path=str(tmp_path / "out.gguf"))
    seen = [t for t in await answers_to(request, place) if isinstance(t, ModelProgress)]
    assert {t.stage for t in seen} == {"writing"}
    assert [t.done for t in seen] == sorted(t.done for t in seen)
    assert seen[0].done == 0
    assert all(t.done <= t.total for t in seen)


async def test_a_cancelled_export_leaves_nothing(
    place: ServiceContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The draft goes, and the final name was never there."""
    monkeypatch.setattr(progress, "EVERY_S", 0.0)
    ended = asyncio.Event()
    loop = asyncio.get_running_loop()
    export = exports._export  # noqa: SLF001 - to learn when its thread is through

    def and_tell(*arguments: object) -> None:
        try:
            export(*arguments)  # type: ignore[arg-type]  # passed through as they come
        finally:
            loop.call_soon_threadsafe(ended.set)

    monkeypatch.setattr(exports, "_export", and_tell)
    request = ExportModel(model="spark", form="gguf", path=str(tmp_path / "new" / "out.gguf"))
    async with asyncio.TaskGroup() as group:
        work = group.create_task(export_model(request, place, lambda _: None))
        await asyncio.sleep(0)  # let it begin
        work.cancel()
    await ended.wait()
    assert not any((tmp_path / "new").glob("*"))


async def test_what_is_there_is_not_replaced_unasked(place: ServiceContext, tmp_path: Path) -> None:
    """In words that name no option of the command line."""
    out = tmp_path / "out.gguf"
    out.write_text("mine")
    request = ExportModel(model="spark", form="gguf", path=str(out))
    with pytest.raises(UsageError, match="exists already") as refused:
        await export_model(request, place, lambda _: None)
    assert "--" not in str(refused.value)
    assert out.read_text() == "mine"


async def test_too_little_memory_is_seen_before_anything_is_loaded(
    place: ServiceContext, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Practice goes on undisturbed."""
    monkeypatch.setattr(exports, "free_memory", lambda: 100_000_000)
    request = ExportModel(model="spark", form="gguf", path=str(tmp_path / "out.gguf"))
    with pytest.raises(MemoryShortError, match=r"100 MB are free\. Close other programs"):
        await export_model(request, place, lambda _: None)


def test_an_export_needs_float32_even_where_practice_does_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It is loaded so on every computer, one whose processor multiplies bfloat16 included."""
    monkeypatch.setattr("core.models.memory.machine.processor_flags", lambda: {"amx_bf16"})
    spec = load_models().get("qwen2.5-0.5b")
    monkeypatch.setattr(exports, "free_memory", lambda: 4 * spec.parameters)
    with pytest.raises(MemoryShortError, match=r"about 2\.5 GB"):
        require_memory(spec)
    monkeypatch.setattr(exports, "free_memory", lambda: 5 * spec.parameters + 10**8)
    require_memory(spec)


async def test_a_model_that_is_none_is_told(place: ServiceContext, tmp_path: Path) -> None:
    """Before anything is written."""
    request = ExportModel(model="sparc", form="gguf", path=str(tmp_path / "out.gguf"))
    with pytest.raises(UnknownModelError, match="Did you mean spark"):
        await export_model(request, place, lambda _: None)
