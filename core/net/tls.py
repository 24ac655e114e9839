"""TLS among nodes that know each other by public key alone.

A node's certificate is signed by itself, and its key is the node's identity: whoever completes the
handshake has proved who it is. No authority is asked, no name is checked, and clients show no
certificate, because Python's ``ssl`` cannot accept unknown ones; they sign their requests instead.
"""

import asyncio
import hashlib
import ipaddress
import ssl
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.x509.oid import NameOID

from core.errors import SwarmError
from core.i18n import translatable
from core.rollouts.types import PeerId
from core.wire.dialback import DialbackReply
from core.wire.identity import Identity, is_key, pem_of


async def ring(visitor: str, port: int) -> DialbackReply:
    """Shake hands with whoever listens on ``port`` of ``visitor``, the address of who asks.

    Nothing but that address is ever dialled, and nothing is sent but a handshake, so that nobody
    can point a hub at somebody else.
    """
    try:
        host = str(ipaddress.ip_address(visitor.partition("%")[0]))
    except ValueError:
        return DialbackReply("", b"")
    try:
        pin = await meet(host, port)
    except SwarmError:
        return DialbackReply(host, b"")
    return DialbackReply(host, bytes.fromhex(pin.peer))


CONNECT_S = 3.0
_LONGEST_LIFE = timedelta(days=366)


@dataclass(frozen=True, slots=True)
class Pin:
    """Public key found at an address, and the certificate by which it is known while it runs."""

    peer: PeerId
    fingerprint: bytes  # SHA-256 of the certificate


def server_context(identity: Identity, folder: Path | None = None) -> ssl.SSLContext:
    """The server's side of TLS among nodes: TLS 1.3 under a fresh certificate of ``identity``.

    The key lies in ``folder`` for a moment (without one, in the system's for such things).

    Raises:
        SwarmError: nothing can be written there.
    """
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "waggle")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(identity.key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + _LONGEST_LIFE)
        .sign(identity.key, algorithm=None)
    )
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    # OpenSSL's binding takes files only: a folder for the owner's eyes, gone before we return.
    try:
        with tempfile.TemporaryDirectory(prefix="tls-", dir=folder) as place:
            file = Path(place) / "identity.pem"
            file.touch(mode=0o600)
            file.write_bytes(
                pem_of(identity) + certificate.public_bytes(serialization.Encoding.PEM)
            )
            context.load_cert_chain(file)
    except OSError as error:
        raise SwarmError(
            translatable("No certificate can be made ({}). Free some space.", error)
        ) from error
    return context


def stranger_context() -> ssl.SSLContext:
    """A client's side that accepts any certificate; whose it is must be looked at afterwards."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


async def meet(host: str, port: int) -> Pin:
    """Shake hands with whoever listens at ``host`` and ``port``, and hang up.

    Raises:
        SwarmError: nobody answers in time, or whoever does is no node.
    """
    try:
        async with asyncio.timeout(CONNECT_S):
            _, writer = await asyncio.open_connection(host, port, ssl=stranger_context())
    except (OSError, ValueError, OverflowError) as error:  # OSError: also timeouts and TLS
        raise SwarmError(
            translatable("Nobody answers at {}:{} ({}).", host, port, error)
        ) from error
    try:
        tls: ssl.SSLObject = writer.get_extra_info("ssl_object")
        return pin_of(tls.getpeercert(binary_form=True) or b"")
    finally:
        writer.transport.abort()
        with suppress(OSError):
            await writer.wait_closed()


def pin_of(certificate: bytes) -> Pin:
    """The node that presented ``certificate`` (DER).

    Raises:
        SwarmError: it is not that of a node.
    """
    try:
        key = x509.load_der_x509_certificate(certificate).public_key()
    except Exception as error:  # strangers' bytes raise anything, as keys do
        raise SwarmError(
            translatable("Whoever answers there shows no certificate of a node.")
        ) from error
    if not isinstance(key, Ed25519PublicKey) or not is_key(key.public_bytes_raw()):
        raise SwarmError(translatable("Whoever answers there is no node."))
    return Pin(PeerId(key.public_bytes_raw().hex()), hashlib.sha256(certificate).digest())
