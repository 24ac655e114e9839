"""Names of models on Hugging Face: what may be typed in, and the id that it has here."""

import re
from typing import Final

REPOSITORY: Final = re.compile(
    r"[A-Za-z0-9](?:[A-Za-z0-9_-]{0,40}[A-Za-z0-9])?/[A-Za-z0-9](?:[A-Za-z0-9._-]{0,94}[A-Za-z0-9])?",
    re.ASCII,
)
"""``owner/name``; both start and end in a letter or digit, so neither leads out of a folder."""

MOST_LETTERS: Final = 42 + len("--") + 96
"""Of an id: Hugging Face allows an owner 42 and a name 96."""


def is_repository(name: str) -> bool:
    """Whether ``name`` has the form of a model's name on Hugging Face."""
    return REPOSITORY.fullmatch(name) is not None and ".." not in name and "--" not in name


def id_of(repo: str) -> str:
    """The id that the repository ``owner/name`` has here, as folder and in the swarm.

    Hugging Face knows no name with two hyphens in a row, so different names keep different ids.
    """
    return repo.replace("/", "--").lower()
