"""Base of all requests and replies.

The window numbers its requests; every answer carries the number of what it answers. A service that
takes long answers several times, and ends with an answer that ``is_last`` or with ``Refused``.
"""

from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta

from core.api.message import JsonMessage
from core.i18n import Remarks, remarks_of, words_of

FilePath = Annotated[str, Meta(min_length=1, max_length=4_096)]
"""Where a person wants a file, or has one; absolute."""


class Piece(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of what requests and replies are made of."""


class Request(JsonMessage, frozen=True, kw_only=True):
    """Base of a request that the window makes of the helper."""

    id: int = 0  # given by the window's client


class Reply(JsonMessage, frozen=True, kw_only=True):
    """Base of a reply to one request."""

    is_last: ClassVar[bool] = True  # False for reports of progress

    id: int = 0  # of the request


class Cancel(Request, frozen=True, tag="cancel"):
    """End a service; it is answered by ``Cancelled``, unless it ends before that."""

    request: int  # its number


class Cancelled(Reply, frozen=True, tag="cancelled"):
    """The service was ended as asked; nothing half-done is left."""


class Refused(Reply, frozen=True, tag="refused"):
    """The reply to a request that failed."""

    words: str  # what happened and what to do
    kind: Annotated[str, Meta(max_length=40)] = ""  # of the error: the name of its class
    remarks: Remarks = ()  # that the words were made from


class Done(Reply, frozen=True, tag="done"):
    """The reply to a request that is done, where there is nothing more to tell."""

    words: str = ""  # for the person, where there is something worth saying
    remarks: Remarks = ()  # that they were made from


def refused(error: Exception) -> Refused:
    """The last word about what ended with ``error``."""
    words = words_of(error)
    return Refused(words=str(words), kind=type(error).__name__, remarks=remarks_of(words))


def done(words: str) -> Done:
    """The last word about what went well."""
    return Done(words=str(words), remarks=remarks_of(words))
