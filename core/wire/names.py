"""A pleasant name for every node, from its public key alone.

No user or host name leaves the machine. Two words and two digits, such as ``amber-finch-27``:
100 x 120 x 90, about a million names. Two nodes may share one; only the peer id tells them apart
for certain. Changing a list renames everybody, so the lists stay as they are. Any first word must
go kindly with any second one.
"""

import hashlib

from core.rollouts.types import PeerId

_FIRST = (
    "able agile amber ample apricot autumn azure balmy beaming blithe bold boreal bouncy brave "
    "breezy bright brisk bronze buoyant busy calm candid cheery civil clear clever cobalt "
    "copper coral cosmic cosy crisp curious dapper daring dawn dazzling deft dewy dreamy eager "
    "early earnest elegant emerald fabled fair festive fleet fond frank friendly gallant genial "
    "gentle gleaming glowing golden graceful grand happy hardy hearty helpful honest humble "
    "indigo jaunty jolly jovial keen kind lemon lilac limber lively loyal lucid lucky lunar "
    "magic marine mellow merry mild mindful mint misty modest nimble noble patient peaceful "
    "pearly placid playful plucky poised polite quiet"
)

_SECOND = (
    "acorn alder alpaca anchor antelope apple ash aspen aster avocet badger bamboo beacon beech "
    "birch bison bloom bluebell brook bumblebee buttercup canyon caribou cedar chestnut clover "
    "comet condor cove cricket crocus curlew cypress deer delta dolphin dove dragonfly dunlin "
    "eagle egret elder elk elm falcon fennel fern finch firefly fjord flamingo fox foxglove "
    "gannet gecko glacier goldfinch grove harbour hare harrier hawk heron hill honeybee "
    "hornbeam ibex ibis island juniper kestrel kingfisher koala ladybird lagoon lantern larch "
    "lark laurel lavender leaf lemur linden linnet lotus lupin lynx magnolia mallow maple "
    "marigold marmot marten meadow meteor moon moth mulberry myrtle nightingale nuthatch oak "
    "orchard orchid oriole osprey otter owl panda pebble pelican penguin peony petrel pine "
    "plover poppy primrose puffin quail"
)
DESCRIPTIONS = tuple(_FIRST.split())
BEINGS = tuple(_SECOND.split())


def friendly_name(peer_id: PeerId) -> str:
    """The name of ``peer_id``; the same on every machine."""
    digest = hashlib.sha256(b"waggle/name/1\x00" + peer_id.encode()).digest()
    first = DESCRIPTIONS[int.from_bytes(digest[:4], "big") % len(DESCRIPTIONS)]
    second = BEINGS[int.from_bytes(digest[4:8], "big") % len(BEINGS)]
    number = 10 + int.from_bytes(digest[8:12], "big") % 90
    return f"{first}-{second}-{number}"
