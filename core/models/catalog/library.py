"""The models that were fetched: a folder each below the home, with a manifest written last.

    models/qwen2.5-0.5b/waggle.json     a model that is complete
    models/.draft-qwen2.5-0.5b/         one that is on its way, or was interrupted
    models/.old-qwen2.5-0.5b/           one that is being removed
    models/.lock-qwen2.5-0.5b           held by whoever works on it

A folder counts as a model by its manifest alone, and gets its name in one step, so that whatever
ends a download leaves either a whole model or a draft to go on with.
"""

import os
import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from filelock import FileLock, Timeout
from msgspec.structs import replace

from core.errors import ModelError
from core.i18n import translatable
from core.models.catalog.catalog import ModelSpec, id_of, is_repository, load_models
from core.models.catalog.manifest import Manifest, OnBytes, encode_manifest, read_manifest
from core.paths import Home, explain_os_error
from core.storage.files import flush_folder, move, size_of
from core.storage.room import size_in_words

MANIFEST: Final = "waggle.json"
NOTE: Final = "fetching.json"
"""The manifest that a draft will have, so that a download can be taken up by its id alone."""

GO_ON: Final = translatable(
    "download the model again; what came in is kept, and it goes on where it stopped"
)
"""What is said where the disk is full."""

_DRAFT: Final = ".draft-"
_OLD: Final = ".old-"
_LOCK: Final = ".lock-"


@dataclass(frozen=True, slots=True)
class Library:
    """The folder of fetched models."""

    root: Path

    def folder(self, model_id: str) -> Path:
        """Where the model of that id is, or would be."""
        return self.root / model_id

    def manifests(self) -> list[Manifest]:
        """All complete models, by id."""
        found = [read_manifest(path, path.parent.name) for path in self._all(f"[!.]*/{MANIFEST}")]
        return [manifest for manifest in found if manifest is not None]

    def drafts(self) -> list[tuple[Manifest, int]]:
        """All downloads that were begun, by id, and how many bytes of each are there."""
        begun = []
        for path in self._all(f"{_DRAFT}*/{NOTE}"):
            manifest, size = read_manifest(path, path.parent.name.removeprefix(_DRAFT)), 0
            with suppress(OSError):  # it may be finished, or removed, in this very moment
                size = size_of(path.parent) - path.stat().st_size
            if manifest is not None and size > 0:
                begun.append((manifest, size))
        return begun

    def find(self, name: str) -> Manifest | None:
        """The complete model of that id or repository; None where there is none."""
        return _pick(name, self.manifests())

    def find_begun(self, name: str) -> Manifest | None:
        """The model of that id or repository, complete or half fetched; None for any other."""
        return self.find(name) or _pick(name, (manifest for manifest, _ in self.drafts()))

    def is_whole(self, manifest: Manifest) -> bool:
        """Whether every file is there in its size; quick, where ``damaged`` reads them all."""
        folder = self.folder(manifest.id)
        return all(_size(folder / record.name) == record.size for record in manifest.files)

    def damaged(self, manifest: Manifest, on_bytes: OnBytes = lambda _: None) -> list[str]:
        """The names of the files that are not what was fetched.

        Raises:
            HomeError: a file is there and cannot be read.
        """
        folder = self.folder(manifest.id)
        try:
            return [r.name for r in manifest.files if not r.matches(folder / r.name, on_bytes)]
        except OSError as error:
            raise explain_os_error(error, folder) from error

    def size(self, model_id: str) -> int:
        """Bytes that a model takes, with what an interrupted download left of it."""
        places = (model_id, f"{_DRAFT}{model_id}", f"{_OLD}{model_id}")
        return sum(size_of(self.root / place) for place in places)

    def discard(self, model_id: str) -> int:
        """Remove what an interrupted download left; the bytes set free.

        Raises:
            HomeError: the files cannot be removed.
            ModelError: it is being fetched right now.
        """
        with self.draft(model_id) as draft:
            freed = size_of(draft)
            try:
                shutil.rmtree(draft)
            except OSError as error:
                raise explain_os_error(error, self.root) from error
        return freed

    def remove(self, model_id: str) -> int:
        """Remove a model and whatever an interrupted download left of it; the bytes set free.

        Raises:
            HomeError: the files cannot be removed.
            ModelError: it is being fetched right now.
        """
        with self.draft(model_id) as draft:
            try:
                freed = self.size(model_id)
                self._put_away(model_id)
                shutil.rmtree(draft)
            except OSError as error:
                raise explain_os_error(error, self.root) from error
        self.sweep()
        return freed

    def sweep(self) -> None:
        """Finish what was being removed when somebody pulled the plug."""
        for old in self._all(f"{_OLD}*"):
            with suppress(Timeout, OSError), self._lock(old.name.removeprefix(_OLD)):
                shutil.rmtree(old)

    @contextmanager
    def draft(self, model_id: str) -> Iterator[Path]:
        """The folder in which a model grows; kept afterwards, for the next try, unless published.

        Raises:
            ModelError: another process works on it.
            HomeError: it cannot be made.
        """
        folder = self.root / f"{_DRAFT}{model_id}"
        lock = self._lock(model_id)
        try:
            self.root.mkdir(parents=True, exist_ok=True, mode=0o700)
            lock.acquire()
            folder.mkdir(exist_ok=True, mode=0o700)
        except Timeout as error:
            raise ModelError(
                translatable(
                    "Another Waggle is downloading {} right now. Wait until it is done.", model_id
                )
            ) from error
        except OSError as error:
            raise explain_os_error(error, folder, GO_ON) from error
        try:
            yield folder
        finally:
            lock.release()

    def note(self, draft: Path, manifest: Manifest) -> None:
        """Write down what is going to be fetched into ``draft``.

        Raises:
            ModelError: such a model could not be kept.
            OSError: the disk refuses.
        """
        _write_through(draft / NOTE, encode_manifest(manifest))

    def publish(self, draft: Path, manifest: Manifest) -> Path:
        """Make a complete ``draft`` the model of its id, in place of an older one.

        Raises:
            ModelError: such a model could not be read again.
            HomeError: the disk refuses; the draft is kept.
        """
        folder = self.folder(manifest.id)
        try:
            _write_through(draft / MANIFEST, encode_manifest(manifest))
            flush_folder(draft)
            self._put_away(manifest.id)
            move(draft, folder)
            flush_folder(self.root)
        except OSError as error:
            raise explain_os_error(error, folder, GO_ON) from error
        with suppress(OSError):  # now it says nothing any more; before, it makes the draft known
            (folder / NOTE).unlink(missing_ok=True)
        return folder

    def _all(self, pattern: str) -> list[Path]:
        return sorted(self.root.glob(pattern))

    def _lock(self, model_id: str) -> FileLock:
        return FileLock(self.root / f"{_LOCK}{model_id}", timeout=0)

    def _put_away(self, model_id: str) -> None:
        """Take a model out of sight in one step, then remove its files."""
        folder, old = self.folder(model_id), self.root / f"{_OLD}{model_id}"
        if old.exists():
            shutil.rmtree(old)
        if folder.exists():
            move(folder, old)
            shutil.rmtree(old)


def copies_of(home: Home, model_id: str) -> list[Path]:
    """The copies of a model for llama.cpp, named by ``core.sampling.gguf_copies``."""
    return sorted(home.cache.glob(f"{model_id}@*"))


def remove_copies(home: Home, model_id: str) -> int:
    """Remove what was made of a model for llama.cpp; the bytes set free.

    No node may be using them: hold ``home`` meanwhile.

    Raises:
        HomeError: the files cannot be removed.
    """
    freed = 0
    try:
        for path in copies_of(home, model_id):
            freed += path.stat().st_size
            path.unlink()
    except OSError as error:
        raise explain_os_error(error, home.cache) from error
    return freed


def find_model(name: str, home: Home) -> ModelSpec:
    """The model of that id, or of that name on Hugging Face, ready to be loaded.

    Raises:
        UnknownModelError: there is no such model.
        ModelError: it has to be fetched first; the message says how.
    """
    catalogue, library = load_models(), Library(home.models)
    spec, manifest = catalogue.find(name), library.find(name)
    if spec is not None and (spec.repo is None or spec.folder.exists()):  # it ships with this copy
        return spec
    if manifest is None:
        if spec is None and not is_repository(name):
            catalogue.get(name)  # says which models there are
        raise _absent(name, spec)
    if not library.is_whole(manifest):
        wish = spec.id if spec is not None else manifest.repo
        raise ModelError(
            translatable(
                "Files of the model {} are missing. Download it again on the page Models, or with: "
                "waggle models get {}",
                name,
                wish,
            )
        )
    folder = library.folder(manifest.id)
    if spec is not None:
        return replace(spec, folder=folder)
    from core.models.catalog.inspection import derive_spec

    return derive_spec(manifest.repo, folder)


def _absent(name: str, spec: ModelSpec | None) -> ModelError:
    title, wish, size = name, name, ""
    if spec is not None:
        title, wish, size = spec.title, spec.id, translatable(" ({})", size_in_words(spec.download))
    return ModelError(
        translatable(
            "{}{} is not on this computer yet. Download it on the page Models, or with: "
            "waggle models get {}",
            title,
            size,
            wish,
        )
    )


def _pick(name: str, manifests: Iterable[Manifest]) -> Manifest | None:
    wanted = (id_of(name) if is_repository(name) else name).lower()
    return next((m for m in manifests if wanted in (m.id, id_of(m.repo))), None)


def _write_through(path: Path, data: bytes) -> None:
    """Write a file of a draft; nobody reads it before the draft gets its name."""
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return -1
