"""A statement and who vouches for it: sign bytes, ship bytes.

    statement = [tag, fields ...]                 msgpack
    signed    = [tag, statement, signature]       Ed25519 over DOMAIN + statement

The statement travels as the very bytes that were signed and is never encoded again. Each kind has
a domain of its own, so that what was signed as one can never be read as another.
"""

from typing import Generic, TypeVar

import msgspec

from core.errors import WireError
from core.wire.codec import Bytes64, Reason, WireMessage, decode, encode
from core.wire.identity import Identity, is_signed_by

_S = TypeVar("_S", bound=WireMessage)


class _Signed(WireMessage, frozen=True, tag="signed"):
    statement: bytes
    signature: Bytes64


_signed = msgspec.msgpack.Decoder(_Signed)


class SignedKind(Generic[_S]):
    """Seals and opens statements of one kind."""

    def __init__(self, kind: type[_S], domain: bytes, most_bytes: int) -> None:
        """``domain`` is put before a statement when signing; larger ones are not even read."""
        self._statements = msgspec.msgpack.Decoder(kind)
        self._domain = domain
        self._most_bytes = most_bytes

    def seal(self, identity: Identity, statement: _S) -> bytes:
        """Sign and pack ``statement``.

        Raises:
            WireError: it breaks a limit, so that nobody would accept it.
        """
        body = encode(statement)
        decode(self._statements, body)
        data = encode(_Signed(body, identity.sign(self._domain + body)))
        if len(data) > self._most_bytes:
            raise WireError(Reason.SIZE, f"{len(data)} bytes")
        return data

    def read(self, data: bytes) -> tuple[_S, bytes, bytes]:
        """Statement, its bytes and its signature; the signature is not checked yet.

        Raises:
            WireError: ``data`` is too large, or no statement of this kind.
        """
        signed = decode(_signed, data, self._most_bytes)
        return decode(self._statements, signed.statement), signed.statement, signed.signature

    def check(self, signer: bytes, body: bytes, signature: bytes) -> None:
        """Check that ``signer`` made the signature over the statement ``body``.

        Raises:
            WireError: somebody else did, or nobody.
        """
        if not is_signed_by(signer, signature, self._domain + body):
            raise WireError(Reason.SIGNATURE)
