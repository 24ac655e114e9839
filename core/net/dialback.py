"""Ringing a node back, so that it learns whether others can reach it."""

import ipaddress

from core.errors import SwarmError
from core.net.tls import meet
from core.wire.dialback import DialbackReply


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
