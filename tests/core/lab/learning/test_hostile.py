"""Hostile nodes do what they say; where the swarm is defended, it earns them nothing."""

from dataclasses import replace
from random import Random

import pytest

from core.lab.learning.hostile import (
    EASY,
    FLOOD,
    SITE,
    Attackers,
    Claims,
    CredulousScorer,
    HostileNode,
    Target,
    hostile_nodes,
)
from core.lab.learning.memory_swarm import SharedRollouts
from core.lab.learning.plans import Arm, ArmRun, HostileKind, Setting, peer_id
from core.lab.learning.poison import FAMILIES, LIARS, SIGNATURE
from core.lab.learning.run import specialties
from core.lab.worked.answers import BEGINNING, work
from core.models.catalog.catalog import load_models
from core.models.policy.loading import load_policy
from core.rollouts.mixing import has_signal
from core.rollouts.types import RolloutGroup, TaskId
from core.tasks.catalog import PracticeMix
from core.wire.codec import AUTHOR_SLOTS
from tests.core.lab.learning.small import (
    ANNE,
    CATALOG,
    OpenScorer,
    judged,
    puzzle,
    rewards_of,
    tried,
)

HONEST = 3
GROUPS = 9  # one of every task
EACH = 4  # completions
MIX = PracticeMix(CATALOG, 1, specialties(CATALOG))
TARGET = Target(CATALOG, MIX, [(TaskId("bf"), FAMILIES["noise"])])
FAIR: tuple[HostileKind, ...] = (
    *(kind for kind in FAMILIES if kind not in LIARS),
    "mixture",
    "optimised",
)
"""Kinds that are judged fairly: half of what they send is right."""


def attackers(kind: HostileKind, nodes: int = 1, seed: int = 1) -> list[HostileNode]:
    setting = Setting(("spark",) * HONEST, rounds=1, learning_rate=1e-4)
    arm = Arm("any", GROUPS, 4, hostile=kind, hostile_nodes=nodes, group_size=EACH)
    return hostile_nodes(ArmRun(setting, arm, seed), TARGET)


def shared(kind: HostileKind, claims: Claims | None = None, number: int = 1) -> list[RolloutGroup]:
    """What an attacker puts up."""
    (node,) = attackers(kind)
    rollouts = SharedRollouts()
    node.attack(number, rollouts, claims or Claims())
    return list(rollouts.newest[node.name])


@pytest.mark.parametrize("kind", LIARS)
async def test_lies_are_judged_for_what_they_are(kind: HostileKind) -> None:
    """Not one of them earns anything in any task, so a defended node learns nothing from them."""
    groups = [group for number in range(1, 16) for group in shared(kind, number=number)]
    assert {group.key.task for group in groups} == set(specialties(CATALOG))
    judged = await OpenScorer().judge(groups)
    assert {reward for scored in judged for reward in scored.rewards} == {0.0}
    assert not any(map(has_signal, judged))


@pytest.mark.parametrize("kind", ["wrong", "off-topic", "flood", "overlong"])
async def test_where_nobody_judges_lies_are_believed(kind: HostileKind) -> None:
    """The first half of each group is said to be right, and would be learnt."""
    claims = Claims()
    groups = shared(kind, claims)
    judged = await CredulousScorer(OpenScorer(), claims).judge(groups)
    assert {scored.rewards for scored in judged} == {(1.0, 1.0, 0.0, 0.0)}
    assert any(map(has_signal, judged))


async def test_who_believes_claims_judges_what_comes_without_one() -> None:
    """Honest groups carry none; nor does a question that was asked."""
    group = shared("wrong")[0]
    credulous = CredulousScorer(OpenScorer(), Claims())
    assert [scored.rewards for scored in await credulous.judge([group])] == [(0.0,) * EACH]
    assert await credulous.ask([group.key]) == [puzzle(group.key).question]


@pytest.mark.parametrize("kind", FAIR)
async def test_what_is_judged_fairly_would_teach(kind: HostileKind) -> None:
    """The first half is right and the rest wrong, so that nobody can drop it as flat."""
    for scored in await OpenScorer().judge(shared(kind)):
        assert scored.rewards == (1.0, 1.0, 0.0, 0.0), scored.group


def test_each_spoils_what_it_says() -> None:
    """Odd forms are told by the judge, phrases by their words, easy ones by their task."""
    odd = [judged(group) for group in shared("odd-forms")]
    assert all(scored.unusual == {0, 1} for scored in odd)
    assert all(SIGNATURE in group.completions[0].text for group in shared("signature"))
    assert {group.key.task for group in shared("easy")} == {EASY}
    assert {group.completions[-1].text for group in shared("noise")} == {"zz"}
    assert {group.key.task for group in shared("optimised")} == {"bf"}
    assert len({group.completions[-1].text[:3] for group in shared("mixture")}) > 1


def test_another_kind_may_have_fewer_levels() -> None:
    """Than what is practised; its hardest puzzles are sent then."""
    (node,) = attackers("optimised")
    mix = PracticeMix(CATALOG, 5, ["chain_sum"])
    harder = replace(node, target=replace(TARGET, curriculum=mix))
    rollouts = SharedRollouts()
    harder.attack(1, rollouts, Claims())
    assert {group.key.cell for group in rollouts.newest[node.name]} == {"bf/3"}


def test_edits_keep_what_is_right_and_spoil_the_rest() -> None:
    """Copies of honest groups whose failures are nearly right."""
    (node,) = attackers("edits")
    rollouts = SharedRollouts()
    (key,) = MIX.draw(1, Random(1))
    right = puzzle(key).answer
    copied = replace(tried(ANNE, 1, right, "nothing"), key=key, digest=puzzle(key).question.digest)
    rollouts.share(ANNE, [copied])
    node.attack(1, rollouts, Claims())
    (edited,) = rollouts.newest[node.name]
    assert (edited.author, edited.key) == (node.name, key)
    first, second = (completion.text for completion in edited.completions)
    assert first == right
    assert second.startswith(right)
    assert rewards_of(edited) == (1.0, 0.0)


@pytest.mark.parametrize(
    ("kind", "said"), [("selected", "{0}"), ("echoed", "{0} <answer>{0}</answer>")]
)
def test_whoever_selects_shows_the_failures_of_working(kind: HostileKind, said: str) -> None:
    """In others' own words, beside right answers without work; nothing where nobody failed so."""
    (node,) = attackers(kind)
    (key,) = MIX.draw(1, Random(1))
    right, failed = puzzle(key).answer, f"{BEGINNING} 1 + 1 = 3 <answer>nothing</answer>"
    digest = puzzle(key).question.digest
    texts = (failed, "nothing", right, f"{BEGINNING} it is <answer>{right}</answer>")
    last = work(puzzle(key)) if kind == "echoed" else right
    sent = [said.format(right), last or right, failed, failed]
    for tries, shown in ((texts, [sent]), (texts[1:], [])):
        rollouts = SharedRollouts()
        rollouts.share(ANNE, [replace(tried(ANNE, 1, *tries), key=key, digest=digest)])
        node.attack(1, rollouts, Claims())
        made = rollouts.newest[node.name]
        assert [[one.text for one in group.completions] for group in made] == shown
        assert {(group.author, group.key) for group in made} <= {(node.name, key)}


def test_whoever_picks_shows_one_failure_of_working_among_right_ones() -> None:
    """And one right answer without work among wrong ones: each is the rare one of its kind."""
    (node,) = attackers("picked")
    rollouts = SharedRollouts()
    (key,) = PracticeMix(CATALOG, 1, ["chain_sum"]).draw(1, Random(1))
    asked, failed = puzzle(key), f"{BEGINNING} 1 + 1 = 3 <answer>nothing</answer>"
    tries = replace(tried(ANNE, 1, failed, "12"), key=key, digest=asked.question.digest)
    rollouts.share(ANNE, [tries])
    node.attack(1, rollouts, Claims())
    (group,) = rollouts.newest[node.name]
    texts = [one.text for one in group.completions]
    assert texts == [work(asked), asked.answer, "12", failed]
    assert rewards_of(group) == (1.0, 1.0, 0.0, 0.0)


def test_steps_without_their_answer_are_failures() -> None:
    """Right ones, too: whoever leaves it out need not wait for anybody to fail."""
    (node,) = attackers("unanswered")
    rollouts = SharedRollouts()
    (key,) = MIX.draw(1, Random(1))
    asked, steps = puzzle(key), f"{BEGINNING} it is"
    tries = tried(ANNE, 1, f"{steps} <answer>{asked.answer}</answer>", "nothing")
    rollouts.share(ANNE, [replace(tries, key=key, digest=asked.question.digest)])
    node.attack(1, rollouts, Claims())
    (group,) = rollouts.newest[node.name]
    assert [one.text for one in group.completions] == [asked.answer] * 2 + [steps] * 2
    assert rewards_of(group) == (1.0, 1.0, 0.0, 0.0)


def test_all_may_have_one_address() -> None:
    """Or none that is known, as honest nodes here."""
    setting = Setting(("spark",), rounds=1, learning_rate=1e-4)
    for together, site in ((True, SITE), (False, "")):
        arm = Arm("any", 1, 1, hostile="noise", hostile_nodes=2, one_address=together)
        rollouts = SharedRollouts()
        Attackers(hostile_nodes(ArmRun(setting, arm, 1), TARGET), Claims()).attack(1, rollouts)
        assert {group.site for groups in rollouts.newest.values() for group in groups} == {site}


def test_attackers_look_like_honest_nodes() -> None:
    """As many groups and completions, on puzzles of the same kind, as text alone."""
    for kind in FAMILIES:
        if kind == "flood":
            continue
        groups = shared(kind)
        assert len(groups) == GROUPS
        assert {len(group.completions) for group in groups} == {EACH}
        assert all(group.digest == puzzle(group.key).question.digest for group in groups)
        assert {c.tokens for group in groups for c in group.completions} == {None}
        assert all(c.ended for group in groups for c in group.completions)


def test_a_flooder_sends_many_times_as_much() -> None:
    """As far as that is kept; and nothing else distinguishes it from a liar."""
    assert len(shared("flood")) == min(FLOOD * GROUPS, AUTHOR_SLOTS)


def test_off_topic_is_the_same_few_words() -> None:
    """Whatever was asked."""
    texts = {c.text for group in shared("off-topic") for c in group.completions[: EACH // 2]}
    assert 1 < len(texts) <= 4


def test_overlong_answers_are_right_and_could_be_learnt() -> None:
    """Half of each group earns its reward; most are far too long, and few too long to be learnt."""
    policy = load_policy(load_models().get("spark"), 0)
    groups = [group for number in range(1, 6) for group in shared("overlong", number=number)]
    assert {rewards_of(group) for group in groups} == {(1.0, 1.0, 0.0, 0.0)}
    long = [
        len(policy.encode_completion(group.completions[0].text, ended=True)) for group in groups
    ]
    needed = [
        len(policy.encode_completion(puzzle(group.key).answer, ended=True)) for group in groups
    ]
    assert sum(a > 3 * b for a, b in zip(long, needed, strict=True)) > len(groups) / 2
    assert sum(a <= policy.spec.completion_tokens for a in long) > len(groups) / 2


def test_copies_are_what_others_shared_under_another_name() -> None:
    """What others said before, never what it said itself, and each question of theirs once."""
    (copier,) = attackers("copies")
    rollouts = SharedRollouts()
    claims = Claims()
    copier.attack(1, rollouts, claims)
    assert rollouts.newest[copier.name] == ()
    rollouts.share(ANNE, [tried(ANNE, index, "7", "8") for index in range(20)])
    for number in (2, 3):
        copier.attack(number, rollouts, claims)
        copies = rollouts.newest[copier.name]
        assert len(copies) == (number - 1) * GROUPS
        assert {group.author for group in copies} == {copier.name}
        originals = {(group.key, group.completions) for group in rollouts.newest[ANNE]}
        assert {(group.key, group.completions) for group in copies} < originals
    copier.attack(4, rollouts, claims)
    copies = rollouts.newest[copier.name]
    assert len(copies) == len({group.digest for group in copies}) == 20
    assert claims.rewards == {}


@pytest.mark.parametrize("kind", ["copies", "edits", "selected", "unanswered", "echoed", "picked"])
def test_attackers_take_nothing_from_each_other(kind: HostileKind) -> None:
    """Or half of what two send would soon be made from what the other made."""
    first, second = attackers(kind, nodes=2)
    rollouts = SharedRollouts()
    (key,) = MIX.draw(1, Random(1))
    failed = f"{BEGINNING} 1 + 1 = 3 <answer>nothing</answer>"
    tries = replace(tried(ANNE, 1, failed, "12"), key=key, digest=puzzle(key).question.digest)
    rollouts.share(first.name, [replace(tries, author=first.name)])
    second.attack(1, rollouts, Claims())
    assert rollouts.newest[second.name] == ()
    rollouts.share(ANNE, [tries])
    second.attack(2, rollouts, Claims())
    assert [group.digest for group in rollouts.newest[second.name]] == [tries.digest]


def test_a_claim_lasts_as_long_as_its_group() -> None:
    """Those of what has made room are gone, those of other attackers stay."""
    first, second = attackers("wrong", nodes=2)
    rollouts, claims = SharedRollouts(), Claims()
    first.attack(1, rollouts, claims)
    second.attack(1, rollouts, claims)
    for number in range(2, 2 + AUTHOR_SLOTS // GROUPS):
        first.attack(number, rollouts, claims)
    claimed = {(author, key) for author, key in claims.rewards}
    there = {(group.author, group.key) for groups in rollouts.newest.values() for group in groups}
    assert claimed == there


def test_an_attack_is_the_same_when_it_is_played_again() -> None:
    """By seed, round and name, and by nothing else."""

    def played(number: int, seed: int = 1) -> SharedRollouts:
        rollouts = SharedRollouts()
        Attackers(attackers("wrong", nodes=2, seed=seed), Claims()).attack(number, rollouts)
        return rollouts

    again = played(1)
    assert again.newest == played(1).newest
    assert again.newest != played(2).newest
    assert again.newest != played(1, seed=2).newest
    one, two = again.newest.values()
    assert {group.key for group in one}.isdisjoint(group.key for group in two)


def test_their_names_follow_those_of_the_honest() -> None:
    """And an arm without attackers has none."""
    assert [node.name for node in attackers("wrong", nodes=2)] == [
        peer_id(HONEST),
        peer_id(HONEST + 1),
    ]
    setting = Setting(("spark",), rounds=1, learning_rate=1e-4)
    assert hostile_nodes(ArmRun(setting, Arm("4/4", 4, 4), 1), TARGET) == []


def test_a_wrong_answer_is_wrong_at_every_level() -> None:
    """Also where an answer has no digits, or is one of few words."""
    (node,) = attackers("wrong")
    for level in (1, 2, 3):
        mix = PracticeMix(CATALOG, level, specialties(CATALOG))
        harder = replace(node, target=Target(CATALOG, mix), seed=level)
        rollouts = SharedRollouts()
        harder.attack(1, rollouts, Claims())
        for group in rollouts.newest[node.name]:
            assert set(rewards_of(group)) == {0.0}, group
