"""Labels of places."""

from core.hub.labels import LABEL_LIFE_S, Labels
from core.wire.codec import PLACE_BYTES
from core.wire.identity import Identity
from tests.envelopes import ANNE, BOB, CAROL, NOW, public_key


def test_processes_of_one_identity_agree() -> None:
    """So they are one hub; another hub's labels mean nothing beside them."""
    one, same, other = Labels(ANNE), Labels(Identity.of(ANNE.key)), Labels(BOB)
    kept = one.kept("8.8.8.0/24")
    assert kept == same.kept("8.8.8.0/24") != other.kept("8.8.8.0/24")
    asker = public_key(CAROL)
    assert one.told(asker, kept, NOW) == same.told(asker, kept, NOW) != other.told(asker, kept, NOW)


def test_a_label_tells_only_which_places_are_alike() -> None:
    """Eight bytes, other ones for each place and each asker."""
    labels = Labels(ANNE)
    told = {
        labels.told(public_key(who), labels.kept(f"192.0.2.{n}"), NOW)
        for who in (BOB, CAROL)
        for n in range(50)
    }
    assert len(told) == 100
    assert {len(label) for label in told} == {PLACE_BYTES}


def test_a_label_lasts_for_a_day() -> None:
    """Long enough to bound a place's share, too short to follow anybody by."""
    labels = Labels(ANNE)
    kept, asker = labels.kept("192.0.2.1"), public_key(BOB)
    morning = NOW - NOW % LABEL_LIFE_S
    today = labels.told(asker, kept, morning)
    assert labels.told(asker, kept, morning + LABEL_LIFE_S - 1) == today
    assert labels.told(asker, kept, morning + LABEL_LIFE_S) != today
