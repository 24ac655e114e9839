"""A hostile computer on the local network: announces ever new nodes at one address.

python -m tests.lan_flood SWARM ADDRESS COUNT
"""

import hashlib
import ipaddress
import socket
import sys

from zeroconf import DNSOutgoing  # type: ignore[attr-defined]  # as in the product
from zeroconf.asyncio import AsyncServiceInfo

from core.swarm.lan.neighbours import SERVICE_TYPE

RESPONSE = 0x8400  # flags of a packet that answers
LABEL, PEER = "0" * 16, "1" * 64  # what is put in their places is as long


def template(swarm: str, address: str) -> bytes:
    """The packet of one node."""
    info = AsyncServiceInfo(
        SERVICE_TYPE,
        f"{LABEL}.{SERVICE_TYPE}",
        port=4_242,
        properties={"v": "1", "id": PEER, "swarm": swarm},
        server=f"{LABEL}.local.",
        parsed_addresses=[address],
    )
    packet = DNSOutgoing(RESPONSE)
    for record in (info.dns_pointer(), info.dns_service(), info.dns_text(), *info.dns_addresses()):
        packet.add_answer_at_time(record, 0)
    data: bytes = packet.packets()[0]
    return data


def packet_of(number: int, mould: bytes) -> bytes:
    """The announcement of one more node."""
    peer = hashlib.sha256(b"%d" % number).hexdigest().encode()
    return mould.replace(LABEL.encode(), peer[:16]).replace(PEER.encode(), peer)


def flood(swarm: str, address: str, count: str) -> None:
    """Send it all, as fast as this computer can."""
    mould = template(swarm, address)
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as out:
        here = ipaddress.ip_address(address).packed
        out.setsockopt(socket.IPPROTO_IP, socket.IP_MULTICAST_IF, here)
        for number in range(int(count)):
            out.sendto(packet_of(number, mould), ("224.0.0.251", 5353))


if __name__ == "__main__":
    flood(*sys.argv[1:])
