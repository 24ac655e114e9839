"""Base of all messages between window, engine and helper."""

import msgspec


class JsonMessage(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", kw_only=True
):
    """One line of JSON, tagged by ``type``; unknown fields are refused."""
