"""The few calls of libxcb that read properties of windows; nothing of X11 is ever changed.

libxcb and not libX11, which ends the whole process when the X server goes away.
"""

import ctypes
from functools import cache
from typing import Any, Final, Self

_MOST_VALUES: Final = 64


class _Cookie(ctypes.Structure):
    """Cookie of a request, by which its reply is read; the same for all requests."""

    _fields_ = (("sequence", ctypes.c_uint),)


class _Atom(ctypes.Structure):
    """xcb_intern_atom_reply_t."""

    _fields_ = (
        ("head", ctypes.c_uint8 * 8),
        ("atom", ctypes.c_uint32),
    )


class _Property(ctypes.Structure):
    """xcb_get_property_reply_t."""

    _fields_ = (
        ("response_type", ctypes.c_uint8),
        ("format", ctypes.c_uint8),
        ("sequence", ctypes.c_uint16),
        ("length", ctypes.c_uint32),
        ("type", ctypes.c_uint32),
        ("bytes_after", ctypes.c_uint32),
        ("value_len", ctypes.c_uint32),
        ("pad", ctypes.c_uint8 * 12),
    )


class _Screens(ctypes.Structure):
    """xcb_screen_iterator_t."""

    _fields_ = (
        ("data", ctypes.POINTER(ctypes.c_uint32)),  # a screen begins with its root window
        ("rem", ctypes.c_int),
        ("index", ctypes.c_int),
    )


class Display:
    """A connection to the X server that ``$DISPLAY`` names; for one thread at a time."""

    def __init__(self) -> None:
        self._xcb = _library()
        self._free = ctypes.CDLL(None).free
        self._free.argtypes = (ctypes.c_void_p,)
        self._connection = self._xcb.xcb_connect(None, None)  # never null, even where it failed
        self.is_open = self._xcb.xcb_connection_has_error(self._connection) == 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._xcb.xcb_disconnect(self._connection)

    def root(self) -> int:
        """The window behind all others, on the first screen."""
        setup = self._xcb.xcb_get_setup(self._connection)
        window: int = self._xcb.xcb_setup_roots_iterator(setup).data[0]
        return window

    def atom(self, name: str) -> int:
        """The number that stands for ``name``; 0 where nobody ever used it."""
        raw = name.encode("ascii")
        cookie = self._xcb.xcb_intern_atom(self._connection, 1, len(raw), raw)
        reply = self._xcb.xcb_intern_atom_reply(self._connection, cookie, None)
        if not reply:
            return 0
        try:
            number: int = ctypes.cast(reply, ctypes.POINTER(_Atom)).contents.atom
        finally:
            self._free(reply)
        return number

    def values(self, window: int, name: int) -> tuple[int, ...]:
        """The 32-bit values of a property; none where window or property do not exist."""
        cookie = self._xcb.xcb_get_property(self._connection, 0, window, name, 0, 0, _MOST_VALUES)
        reply = self._xcb.xcb_get_property_reply(self._connection, cookie, None)
        if not reply:
            return ()
        try:
            found = ctypes.cast(reply, ctypes.POINTER(_Property)).contents
            if found.format != 32:  # noqa: PLR2004 - bits
                return ()
            values = ctypes.cast(
                self._xcb.xcb_get_property_value(reply), ctypes.POINTER(ctypes.c_uint32)
            )
            return tuple(values[: min(found.value_len, _MOST_VALUES)])
        finally:
            self._free(reply)


@cache
def _library() -> Any:  # noqa: ANN401 - a library is what its functions are declared to be
    """Open libxcb and declare its functions.

    Raises:
        OSError: it is not installed.
    """
    xcb = ctypes.CDLL("libxcb.so.1")
    pointer, word = ctypes.c_void_p, ctypes.c_uint32
    declared: dict[str, tuple[Any, tuple[Any, ...]]] = {
        "xcb_connect": (pointer, (ctypes.c_char_p, pointer)),
        "xcb_connection_has_error": (ctypes.c_int, (pointer,)),
        "xcb_disconnect": (None, (pointer,)),
        "xcb_get_setup": (pointer, (pointer,)),
        "xcb_setup_roots_iterator": (_Screens, (pointer,)),
        "xcb_intern_atom": (_Cookie, (pointer, ctypes.c_uint8, ctypes.c_uint16, ctypes.c_char_p)),
        "xcb_intern_atom_reply": (pointer, (pointer, _Cookie, pointer)),
        "xcb_get_property": (_Cookie, (pointer, ctypes.c_uint8, *(word,) * 5)),
        "xcb_get_property_reply": (pointer, (pointer, _Cookie, pointer)),
        "xcb_get_property_value": (pointer, (pointer,)),
    }
    for name, (result, arguments) in declared.items():
        function = getattr(xcb, name)
        function.restype, function.argtypes = result, arguments
    return xcb
