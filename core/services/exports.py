"""Taking today's model away, for other programs: for the helper and the command line."""

from pathlib import Path
from threading import Event

from core.api.models import ExportModel, ExportSizes, ModelDone
from core.errors import MemoryShortError
from core.i18n import translatable
from core.models.catalog.catalog import ModelSpec
from core.models.catalog.library import find_model
from core.models.memory.free import free_memory
from core.paths import Home
from core.services.progress import ProgressCounter, reporting
from core.services.saved_model import load_saved
from core.services.service import SendReply, ServiceContext
from core.storage.files import size_of
from core.storage.room import size_in_words
from core.threads import aside

_LOADING_BYTES = 500_000_000  # the libraries, and what they allocate once
_F16_BYTES = 2
_F32_BYTES = 4
_Q8_0_BLOCK = 34 / 32  # bytes a weight: 32 of a byte each, and two for their scale


def export_sizes(spec: ModelSpec) -> ExportSizes:
    """About how large each form of ``spec`` would be, told without loading it."""
    files = [path for path in spec.folder.iterdir() if path.is_file()]
    return ExportSizes(
        gguf=spec.parameters * _F16_BYTES,
        gguf_q8_0=round(spec.parameters * _Q8_0_BLOCK),
        peft=spec.shape.adapter(spec.lora_rank) * _F32_BYTES,
        merged=sum(path.stat().st_size for path in files),
    )


async def export_model(request: ExportModel, context: ServiceContext, tell: SendReply) -> None:
    """Write a model as it was last saved.

    Raises:
        WaggleError: it is not here, or cannot be written there.
    """
    spec = find_model(request.model, context.home)
    require_memory(spec)
    sizes, out = export_sizes(spec), Path(request.path)
    small = sizes.gguf_q8_0 if request.quant == "q8_0" else sizes.gguf
    total = {"gguf": small, "peft": sizes.peft, "merged": sizes.merged}[request.form]
    counter = ProgressCounter("writing", total=total)
    with reporting(counter, tell):
        await aside(lambda stop: _export(request, context.home, spec, _Watch(counter, stop)))
    tell(ModelDone(size=size_of(out), path=request.path))


def require_memory(spec: ModelSpec) -> None:
    """Make sure that the weights of ``spec`` find room in the memory beside what runs.

    Raises:
        MemoryShortError: they do not.
    """
    # As ``load_saved`` loads them: in float32 on the processor, whatever they are trained in.
    need = spec.parameters * _F32_BYTES + _LOADING_BYTES
    free = free_memory()
    if need > free:
        raise MemoryShortError(
            translatable(
                "For a moment this takes about {} of memory, and "
                "{} are free. Close other programs, or stop practising, and try "
                "again.",
                size_in_words(need),
                size_in_words(free),
            )
        )


class _Watch:
    """Counts what is written, and ends it once nobody waits any more."""

    def __init__(self, counter: ProgressCounter, stop: Event) -> None:
        self._counter = counter
        self._stop = stop

    def __call__(self, share: float) -> None:
        if self._stop.is_set():
            raise InterruptedError
        self._counter.done = round(share * self._counter.total)


def _export(request: ExportModel, home: Home, spec: ModelSpec, watch: _Watch) -> None:
    from core.models.export.export import ExportRequest, export_policy

    policy, _ = load_saved(home, spec)
    what = ExportRequest(request.form, Path(request.path), request.quant, request.replace)
    export_policy(policy, what, watch)
