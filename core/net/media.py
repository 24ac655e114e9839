"""What a body is said to be, read without Python's email parser.

On some of what strangers say, that one fails with any error.
"""

from collections.abc import Mapping


def has_type(headers: Mapping[str, str], media_type: str) -> bool:
    """Whether ``headers`` announce a body of ``media_type``, whatever parameters it has."""
    said = headers.get("Content-Type", "")
    return said.partition(";")[0].strip().lower() == media_type
