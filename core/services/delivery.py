"""Files for a person: written where they asked for them, and in words where that cannot be."""

import os
import tempfile
from contextlib import suppress
from pathlib import Path

from core.errors import DiskFullError, HomeError
from core.i18n import translatable
from core.paths import explain_os_error


def deliver(path: Path, data: bytes) -> None:
    """Write ``data`` to ``path`` in one step, readable by its owner only.

    It is the person's folder, so nothing but ``path`` is replaced there: the draft gets a name that
    is nobody's.

    Raises:
        DiskFullError: no space is left; what was there before stays.
        HomeError: it cannot be written there; likewise.
    """
    draft: Path | None = None
    try:
        descriptor, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
        draft = Path(name)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        draft.replace(path)
    except OSError as error:
        if draft is not None:
            with suppress(OSError):
                draft.unlink(missing_ok=True)
        raise _explained(error, path) from error


def _explained(error: OSError, path: Path) -> HomeError:
    told = explain_os_error(error, path, translatable("try again"))
    if isinstance(told, DiskFullError):
        return told
    return HomeError(
        translatable(
            "{} cannot be written ({}). Choose another place.", path, error.strerror or error
        )
    )
