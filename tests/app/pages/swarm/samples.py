"""What engine and helper may say about a swarm, for tests of its page."""

from app.state.app_state import AppState
from app.state.engine_status import EngineStatus
from app.state.model_choices import load_choices
from core.api.events import SwarmChanged
from core.api.state import NodeState
from core.api.swarm import Destination, HubOpen, InviteMade, OfferedSwarm, SwarmShown
from core.api.swarm_view import SeenHub, SeenPeer, SwarmSeen
from core.settings import Settings, SwarmSettings

ANNE, BOB, CAROL = "a" * 64, "b" * 64, "c" * 64
HUB = "https://hub.example.org"
LONG_HUB = "https://a-long-name-of-a-meeting-point.some-university.example.edu:8765"
MEADOW = Destination(name="meadow", wire="meadow", is_private=False)
CLASS = Destination(
    name="our-class", wire="p-" + "1" * 32, is_private=True, hubs=(f"{HUB}#{'d' * 64}",)
)
OFFERED = (OfferedSwarm("meadow", "The meadow", "The swarm for everybody."),)
SHOWN = SwarmShown(swarm=MEADOW, offered=OFFERED)
CLASS_SHOWN = SwarmShown(swarm=CLASS, offered=OFFERED)
MADE = InviteMade(
    link="waggle://join/abc", swarm=CLASS, code=tuple("10" * 20 + "1" for _ in range(41))
)
OPEN = HubOpen(
    addresses=("http://192.168.1.5:8765", "http://10.0.0.5:8765"), peer="e" * 64, visitors=3
)

PEERS = (
    SeenPeer(
        peer=ANNE,
        name="amber-finch-27",
        state="here",
        model="spark",
        where="near",
        received=40,
        taught=12,
    ),
    SeenPeer(
        peer=BOB,
        name="breezy-oriole-93",
        state="silent",
        model="somebody/" + "m" * 120,
        where="hub",
        received=7,
        heard=1_800_000_000.0,
    ),
    SeenPeer(peer=CAROL, name="calm-otter-11", state="blocked"),
)
HUBS = (
    SeenHub(address=HUB, state="answers", received=1_203, heard=1_800_000_000.0),
    SeenHub(address=LONG_HUB, state="impostor"),
)
SEEN = SwarmSeen(swarm="meadow", peers=PEERS, hubs=HUBS)


def idle(swarm: SwarmSettings | None = None) -> AppState:
    """Nothing practises."""
    settings = Settings(swarm=swarm or SwarmSettings())
    return AppState(choices=load_choices(), chosen="spark", settings=settings)


def practising(
    seen: SwarmSeen | None = SEEN,
    peers: int = 3,
    words: str = "",
    swarm: SwarmSettings | None = None,
) -> AppState:
    """A run that meets so many others."""
    node = NodeState(
        activity="practising",
        model="spark",
        name="kind-heron-30",
        swarm=SwarmChanged(reachable=True, peers=peers, words=words),
        seen=seen,
    )
    before = idle(swarm)
    return AppState(before.choices, before.chosen, before.settings, node, EngineStatus("up"))
