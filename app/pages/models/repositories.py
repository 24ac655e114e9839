"""Names of models as people paste them."""

import re
from typing import Final

_PAGE: Final = re.compile(r"^(?:https?://)?(?:www\.)?(?:huggingface\.co|hf\.co)/", re.ASCII)
_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,42}/[A-Za-z0-9._-]{1,96}", re.ASCII)
"""About the form of a name; ``core.models.catalog.repositories`` has the last word."""


def repository_in(text: str) -> str | None:
    """The ``owner/name`` in ``text``, which may be the address of its page; None without one."""
    name = text.strip()
    if found := _PAGE.match(name):
        name = "/".join(re.split(r"[/?#]", name[found.end() :])[:2])
    return name if _NAME.fullmatch(name) else None
