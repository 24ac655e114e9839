"""What a command signs before it writes."""

from datetime import UTC, datetime, timedelta

import pytest
from tuf.api.metadata import Metadata, Root, Targets

from tests.update_source import load_script

script = load_script("release_draft")
NOW = datetime(2026, 11, 22, tzinfo=UTC)


def test_what_is_signed_counts_from_now_on_and_for_its_life() -> None:
    """Signed by the keys that were just made."""
    draft = script.Draft(Root(), {}, NOW)
    draft.make_keys("targets")
    targets = Metadata(Targets())
    draft.sign("targets", targets)
    assert list(draft.files) == ["1.targets.json"]
    assert script.is_signed("targets", targets, draft.root)
    assert targets.signed.expires == NOW + timedelta(days=365)


def test_what_lacks_a_key_is_not_drafted() -> None:
    """Nor is it signed for a judge that names other keys."""
    draft, other = script.Draft(Root(), {}, NOW), script.Draft(Root(), {}, NOW)
    for each in (draft, other):
        each.make_keys("targets")
    with pytest.raises(script.ReleaseError, match="targets needs 1 of its keys"):
        draft.sign("targets", Metadata(Targets()), draft.root, other.root)
    assert draft.files == {}
    draft.signers.clear()
    assert not draft.has_keys("targets")
    with pytest.raises(script.ReleaseError, match="Nothing was changed"):
        draft.sign("targets", Metadata(Targets()))
