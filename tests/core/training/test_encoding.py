from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from core.models.memory.budget import SharedBudget
from core.models.policy.policy import Policy
from core.rollouts.prior import BetaPrior
from core.rollouts.recipes import ADAPTIVE, GRADIENTS, SAPO, WAGGLE, Recipe
from core.rollouts.types import (
    Completion,
    ModelId,
    PeerId,
    RolloutGroup,
    SampledTokens,
    ScoredGroup,
    TaskId,
)
from core.training.advantages import group_advantages
from core.training.batch import TrainingGroup
from core.training.checkpoints import CheckpointStore
from core.training.effect_of_working import EffectOfWorking, OwnAnswers, WorkingSeen
from core.training.encoding import (
    accepted,
    completions_each,
    encode_group,
    thin,
    thinned,
)
from core.training.learner import GrpoLearner
from core.training.policy_filter import plausible
from tests.core.training.working import BARE, ECHO, PROMPT, RIGHT, WRONG, working_policy
from tests.present import present
from tests.tiny_models import answered, load_tiny_policy, question


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    """A tiny policy with a budget of 12 tokens and a context of 128."""
    folder: Path = tmp_path_factory.mktemp("tiny")
    return load_tiny_policy(folder)


@pytest.fixture(scope="module")
def opinionated(tmp_path_factory: pytest.TempPathFactory) -> Policy:
    """Another one, which was taught to answer "12" or "34", and finds all else odd."""
    folder = tmp_path_factory.mktemp("opinionated")
    policy = load_tiny_policy(folder)
    learner = GrpoLearner(policy, CheckpointStore(folder / "checkpoints"))
    for _ in range(40):
        learner.update([answered(PROMPT, {"12": 1.0, "34": 1.0, "~~~~~~": 0.0})])
    return policy


def _scored(
    completions: list[Completion], rewards: list[float], prompt: str = PROMPT
) -> ScoredGroup:
    asked = question(prompt)
    group = RolloutGroup(
        asked.key, asked.digest, PeerId("ab" * 32), ModelId("other"), 1, tuple(completions)
    )
    return ScoredGroup(asked, group, tuple(rewards))


def test_the_text_of_others_is_encoded_here(policy: Policy) -> None:
    """Own tokenizer, the end token only where the author's completion ended."""
    encoded = encode_group(
        policy, _scored([Completion("3", ended=True), Completion("45", ended=False)], [1, 0])
    )
    assert encoded is not None
    assert list(encoded.prompt) == policy.encode_prompt(PROMPT)
    three, forty_five = encoded.completions
    assert three == (*policy.encode_completion("3", ended=False), policy.eos_id)
    assert list(forty_five) == policy.encode_completion("45", ended=False)
    assert policy.eos_id not in forty_five
    assert encoded.advantages == (1.0, -1.0)


def test_white_space_of_others_is_not_learnt(policy: Policy) -> None:
    """The judge overlooks it, so a stranger could teach any amount of it for a full reward."""
    loose = [Completion(" \n 3\n\n", ended=True), Completion("\t45 ", ended=False)]
    tidy = [Completion("3", ended=True), Completion("45", ended=False)]
    assert encode_group(policy, _scored(loose, [1, 0])) == encode_group(
        policy, _scored(tidy, [1, 0])
    )


def test_own_completions_keep_the_tokens_that_were_drawn(policy: Policy) -> None:
    """Not those that their text would be encoded as."""
    drawn = SampledTokens((9, 8, 7, policy.eos_id), (-1.0,) * 4)
    own = Completion("3", ended=True, tokens=drawn)
    encoded = present(encode_group(policy, _scored([own, Completion("4", ended=True)], [0, 1])))
    assert encoded.completions[0] == drawn.ids


def test_what_exceeds_the_budget_is_left_out(policy: Policy) -> None:
    """The advantages are those among the completions that remain."""
    long = Completion("7" * policy.spec.completion_tokens, ended=True)
    full = Completion("7" * (policy.spec.completion_tokens - 1), ended=True)
    short = Completion("3", ended=True)
    encoded = present(encode_group(policy, _scored([long, full, short, short], [1, 0, 1, 0])))
    assert [len(ids) for ids in encoded.completions] == [policy.spec.completion_tokens, 2, 2]
    assert encoded.advantages == pytest.approx(group_advantages([0, 1, 0]))


def test_what_cannot_fit_is_left_out_unread(
    policy: Policy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever pads answers to the limit of a message costs nobody the time to encode them."""
    padded = Completion("1 2 3 4 5 6 " * 680, ended=True)
    group = _scored([Completion("3", ended=True), *[padded] * 7], [1.0] + [0.0] * 7)
    read: list[str] = []
    encode = policy.encode_completion

    def count(text: str, *, ended: bool) -> list[int]:
        read.append(text)
        return encode(text, ended=ended)

    monkeypatch.setattr(policy, "encode_completion", count)
    assert accepted(policy, [group] * 64, WAGGLE, SharedBudget()) == []
    assert sum(map(len, read)) == 64


def test_a_group_that_becomes_flat_is_dropped(policy: Policy) -> None:
    """Without its one long success nothing is left to compare."""
    long = Completion("7" * 50, ended=True)
    short = Completion("3", ended=True)
    assert encode_group(policy, _scored([long, short, short], [1, 0, 0])) is None


def test_a_lone_survivor_is_dropped(policy: Policy) -> None:
    """One completion has nothing to be compared with."""
    completions = [Completion("7" * 50, ended=True), Completion("3", ended=True)]
    assert encode_group(policy, _scored(completions, [1, 0])) is None


def test_a_flat_group_is_dropped(policy: Policy) -> None:
    """All equal, all useless."""
    completions = [Completion("3", ended=True), Completion("4", ended=True)]
    assert encode_group(policy, _scored(completions, [1, 1])) is None


def test_equal_answers_of_ones_own_teach_where_they_were_not_expected(policy: Policy) -> None:
    """Where nothing was, or the recipe heeds groups alone, they do not."""
    mine = [Completion(t, ended=True, tokens=SampledTokens((9,), (-1.0,))) for t in "34"]
    prior = BetaPrior(0.25, concentration=4.0)
    own = present(encode_group(policy, replace(_scored(mine, [1, 1]), prior=prior), WAGGLE))
    assert own.advantages == pytest.approx([0.5, 0.5])
    assert encode_group(policy, _scored(mine, [1, 1]), WAGGLE) is None
    assert encode_group(policy, replace(_scored(mine, [1, 1]), prior=prior), SAPO) is None
    longer = [Completion("7" * 50, ended=True, tokens=SampledTokens((7,) * 99, (-1.0,) * 99))]
    assert encode_group(policy, replace(_scored(longer, [1]), prior=prior), WAGGLE) is None


def test_saying_nothing_is_an_answer_only_if_it_ended(policy: Policy) -> None:
    """An ended empty completion trains its end token; an open one holds no token to train."""
    completions = [
        Completion("", ended=True),
        Completion("", ended=False),
        Completion("3", ended=True),
    ]
    encoded = present(encode_group(policy, _scored(completions, [0, 0, 1])))
    assert encoded.completions[0] == (policy.eos_id,)
    assert len(encoded.completions) == 2


def test_a_prompt_beyond_the_context_drops_the_group(policy: Policy) -> None:
    """It is not cut: the model would learn to answer another question."""
    completions = [Completion("3", ended=True), Completion("4", ended=True)]
    assert encode_group(policy, _scored(completions, [1, 0], prompt="word " * 500)) is None


def test_recipes_differ_in_own_groups(policy: Policy) -> None:
    """Waggle's keeps the size of differences and the sampler's log-probabilities."""
    three = Completion("3", ended=True, tokens=SampledTokens((9, policy.eos_id), (-1.0, -2.0)))
    four = Completion("4", ended=True, tokens=SampledTokens((8,), (-3.0,)))
    scored = _scored([three, four], [0.75, 0.25])
    plain, weighed = encode_group(policy, scored, SAPO), encode_group(policy, scored, WAGGLE)
    assert plain is not None
    assert weighed is not None
    assert (plain.advantages, plain.sampler_logprobs) == ((1.0, -1.0), None)
    assert weighed.advantages == (0.25, -0.25)
    assert weighed.sampler_logprobs == ((-1.0, -2.0), (-3.0,))


def test_only_the_tokens_of_others_are_shaped(policy: Policy) -> None:
    """What was drawn here was likely here."""
    mine = [Completion(t, ended=True, tokens=SampledTokens((9, 8), (-1.0, -1.0))) for t in "34"]
    theirs = [Completion(t, ended=True) for t in "34"]
    shaped = [encode_group(policy, _scored(c, [1, 0]), WAGGLE) for c in (mine, theirs)]
    assert [one and one.shaping for one in shaped] == [0.0, WAGGLE.shaping]


def test_a_lesson_is_learnt_in_full(policy: Policy) -> None:
    """However surprising it is here: the person who practises the deck trusts it."""
    scored = _scored([Completion(t, ended=True) for t in "34"], [0, 1])
    strange, trusted = (
        present(encode_group(policy, one, WAGGLE))
        for one in (scored, replace(scored, trusted=True))
    )
    assert (strange.shaping, strange.of_others) == (WAGGLE.shaping, True)
    assert replace(strange, shaping=0.0, of_others=False) == trusted


UNFILTERED = replace(WAGGLE, filters_by_policy=False)
TASK = question("").key.task
PAYING, OFTEN = (
    EffectOfWorking(WorkingSeen(own={TASK: OwnAnswers((1e9, 2e9), share * 1e9, 1e9)}))
    for share in (0.1, 0.9)
)
"""Of whom working earns 0.5 more, where one in ten of the own answers is worked, and nine."""
ELSEWHERE = EffectOfWorking(WorkingSeen(own={TaskId("other"): OwnAnswers((9.0, 9.0), 1.0, 9.0)}))


def _odd(own: SampledTokens | None = None) -> ScoredGroup:
    """Two failures around a right answer in an odd form and one as the puzzle has it."""
    texts = ("4", "003", "3", "5")
    completions = [Completion(text, ended=True, tokens=own) for text in texts]
    return replace(_scored(completions, [0, 1, 1, 0]), unusual=frozenset({1}))


def test_failures_of_working_need_work_to_be_compared_with(tmp_path: Path) -> None:
    """A right answer that shows its work, as the policy might: a word before it is none."""
    policy = working_policy(tmp_path)
    groups = [answered(PROMPT, {good: 1.0, WRONG: 0.0}) for good in (BARE, ECHO, RIGHT)]
    encoded = [present(encode_group(policy, group)) for group in groups]
    assert plausible(policy, encoded, SharedBudget(), 0.005) == [
        [(True, True), (True, True)],
        [(True, False), (True, True)],
        [(True, True), (True, True)],
    ]
    assert accepted(policy, groups, ADAPTIVE, SharedBudget(), PAYING) == groups[2:]
    beside = answered(PROMPT, {ECHO: 1.0, RIGHT: 1.0, WRONG: 0.0})
    assert accepted(policy, [beside], ADAPTIVE, SharedBudget()) == groups[2:]
    plain = replace(ADAPTIVE, swarm_advantages="centred")
    assert accepted(policy, groups, plain, SharedBudget()) == groups


def test_odd_forms_of_others_are_not_imitated(policy: Policy) -> None:
    """The advantages are those among what remains; whoever trusts learns them, too."""
    (kept,) = accepted(policy, [_odd()], UNFILTERED, SharedBudget())
    assert [completion.text for completion in kept.group.completions] == ["4", "3", "5"]
    assert list(kept.rewards) == [0.0, 1.0, 0.0]
    assert not kept.unusual
    assert accepted(policy, [_odd()], SAPO, SharedBudget()) == [_odd()]


def test_what_is_accepted_is_encoded_once(policy: Policy, monkeypatch: pytest.MonkeyPatch) -> None:
    """With its encoding, which is the one that it would get."""
    (kept,) = accepted(policy, [_odd()], UNFILTERED, SharedBudget())
    again = encode_group(policy, replace(kept, encoded=None), UNFILTERED)
    monkeypatch.setattr(policy, "encode_completion", None)
    assert encode_group(policy, kept, UNFILTERED) == again


def _worked_and_bare(*rewards: float) -> ScoredGroup:
    """Two answers that show their work and then two that do not, all of strangers."""
    return _scored([Completion(text, ended=True) for text in [RIGHT] * 2 + [BARE] * 2], [*rewards])


def _drawn_here(scored: ScoredGroup) -> ScoredGroup:
    """The same as own answers."""
    tokens = SampledTokens((9, 8), (-1.0, -1.0))
    completions = tuple(replace(one, tokens=tokens) for one in scored.group.completions)
    return replace(scored, group=replace(scored.group, completions=completions))


def test_what_others_earn_is_compared_with_what_is_written_alike(policy: Policy) -> None:
    """What working brings is not theirs to say; in a lesson, which is trusted, it is."""
    scored = _worked_and_bare(1, 0, 1, 1)
    adaptive = present(encode_group(policy, scored, ADAPTIVE))
    assert adaptive.advantages == (0.5, -0.5)  # the others teach nothing, and are left out
    lesson = present(encode_group(policy, replace(scored, trusted=True), ADAPTIVE))
    assert lesson.advantages == (0.25, -0.75, 0.25, 0.25)


def test_what_teaches_nothing_takes_no_place(policy: Policy) -> None:
    """Four of seven answers of a stranger's group are learnt from, and all four teach."""
    texts = [RIGHT] * 4 + [BARE] * 3
    scored = _scored([Completion(t, ended=True) for t in texts], [1, 1, 1, 0, 1, 1, 1])
    encoded = present(encode_group(policy, scored, ADAPTIVE))
    assert encoded.advantages == (0.25, 0.25, 0.25, -0.75)


def test_whoever_sends_failures_of_working_alone_teaches_nothing(policy: Policy) -> None:
    """Nor does whoever sends right ones alone, unless it is known elsewhere that working pays."""
    spoiling, honest = _worked_and_bare(0, 0, 1, 1), _worked_and_bare(1, 1, 0, 0)
    unfiltered = replace(ADAPTIVE, filters_by_policy=False)
    for working, taught in ((EffectOfWorking(), []), (PAYING, [honest])):
        both = [spoiling, honest]
        assert accepted(policy, both, unfiltered, SharedBudget(), working) == taught


def test_answers_without_work_teach_less_where_the_own_ones_are_worked(policy: Policy) -> None:
    """Those who can guess a kind do not make a node unlearn to work it out."""
    bare = _scored([Completion(text, ended=True) for text in (BARE, "4")], [1, 0])
    known = [encode_group(policy, bare, ADAPTIVE, working) for working in (PAYING, OFTEN)]
    assert [present(one).advantages for one in known] == [
        pytest.approx((0.45, -0.55)),
        pytest.approx((0.05, -0.95)),
    ]


def test_how_an_answer_begins_is_credited_with_what_own_tries_say(policy: Policy) -> None:
    """Of others' answers the right ones, where the kind is tried here; of a lesson's none."""
    theirs = _worked_and_bare(1, 0, 1, 0)
    own = _drawn_here(theirs)
    lesson, unknown = replace(theirs, trusted=True), EffectOfWorking()
    up = 2 * 0.5 * (1 - 0.1)
    for group, recipe, working, expected in (
        (own, WAGGLE, PAYING, (up, up, 0.0, 0.0)),
        (own, WAGGLE, unknown, (0.0, 0.0, 0.0, 0.0)),
        (own, SAPO, PAYING, None),
        (theirs, ADAPTIVE, PAYING, (up, 0.0, 0.0, 0.0)),
        (theirs, WAGGLE, PAYING, None),
        (lesson, ADAPTIVE, PAYING, None),
        (theirs, ADAPTIVE, ELSEWHERE, None),
    ):
        encoded = present(encode_group(policy, group, recipe, working))
        assert encoded.credits == (expected if expected is None else pytest.approx(expected))


def test_rambling_is_credited_with_nothing(policy: Policy) -> None:
    """What is cut off may have been at work, and may not; only what shows work is credited."""
    whole = _drawn_here(_worked_and_bare(1, 0, 1, 0))
    first, second, *rest = whole.group.completions
    cut = (first, replace(second, text="7777777", ended=False), *rest)
    own = replace(whole, group=replace(whole.group, completions=cut))
    (shown, rambling, *_) = present(present(encode_group(policy, own, WAGGLE, PAYING)).credits)
    assert shown > 0 == rambling


def test_others_may_make_a_node_try_to_work_but_not_leave_off_trying(policy: Policy) -> None:
    """However many places say that working harms: credits are for own tries to take away."""
    own = _drawn_here(_worked_and_bare(1, 0, 1, 0))
    for says, tries in ((1.0, True), (-1.0, False)):
        working = EffectOfWorking(WorkingSeen({f"site {n}": (9 * says, 9.0) for n in range(9)}))
        assert working.expected(TASK) == says
        (worked, _, _, bare) = present(present(encode_group(policy, own, WAGGLE, working)).credits)
        assert (worked > 0, bare) == (tries, 0.0)


def test_a_right_answer_that_is_said_to_be_cut_off_is_no_work(tmp_path: Path) -> None:
    """Whoever sends it would make failures of working teach beside it."""
    texts = {BARE: False, WRONG: True, RIGHT[:-1] + "5": True}
    cut = _scored([Completion(text, ended=ended) for text, ended in texts.items()], [1, 0, 0])
    assert accepted(working_policy(tmp_path), [cut], ADAPTIVE, SharedBudget()) == []


def test_own_odd_forms_are_own(policy: Policy) -> None:
    """What this node sampled is its own doing."""
    mine = _odd(SampledTokens((9, 8), (-1.0, -1.0)))
    assert accepted(policy, [mine], UNFILTERED, SharedBudget()) == [mine]


def test_what_is_flat_without_its_odd_forms_is_left_out(policy: Policy) -> None:
    """Nothing is left to compare."""
    completions = [Completion("003", ended=True), Completion("4", ended=True)]
    scored = replace(_scored(completions, [1, 0]), unusual=frozenset({0}))
    assert accepted(policy, [scored], UNFILTERED, SharedBudget()) == []


def test_the_implausible_is_left_out_completion_by_completion(opinionated: Policy) -> None:
    """What is left of the group is learnt from; own completions are not asked about."""
    texts = ["12", "34", "~~~~~~"]
    scored = _scored([Completion(text, ended=False) for text in texts], [1, 0, 0])
    (kept,) = accepted(opinionated, [scored], WAGGLE, SharedBudget())
    assert [completion.text for completion in kept.group.completions] == texts[:2]
    assert list(kept.rewards) == [1.0, 0.0]
    assert accepted(opinionated, [scored], UNFILTERED, SharedBudget()) == [scored]
    drawn = SampledTokens((9, 8), (-1.0, -1.0))
    mine = _scored([Completion(text, ended=False, tokens=drawn) for text in texts], [1, 0, 0])
    assert accepted(opinionated, [mine], WAGGLE, SharedBudget()) == [mine]


def test_groups_of_others_come_without_a_samplers_word(policy: Policy) -> None:
    """What their samplers thought is not known; how far advantages are scaled is the recipe's."""
    scored = _scored([Completion("3", ended=True), Completion("4", ended=True)], [0.75, 0.25])
    plain, own = encode_group(policy, scored, SAPO), encode_group(policy, scored, WAGGLE)
    assert plain is not None
    assert own is not None
    assert (plain.advantages, own.advantages) == ((1.0, -1.0), (0.25, -0.25))
    assert plain.sampler_logprobs is own.sampler_logprobs is None


@given(st.lists(st.sampled_from([0.0, 0.5, 1.0]), min_size=2, max_size=32), st.integers(2, 9))
def test_a_thinned_group_weighs_what_the_whole_one_did(rewards: list[float], most: int) -> None:
    """Successes and failures keep their sums, both are there, no more members than asked for."""
    assume(len(set(rewards)) > 1)
    whole = group_advantages(rewards)
    told = thin(whole, most)
    assert len(told) == min(most, len(whole))
    for sign in (1, -1):
        left = sum(a for a in told.values() if a * sign > 0)
        assert left == pytest.approx(sum(a for a in whole if a * sign > 0))
    assert all((whole[member] > 0) == (advantage > 0) for member, advantage in told.items())
    assert {max(rewards), min(rewards)} <= {rewards[member] for member in told}


@pytest.mark.parametrize(("groups", "each"), [(1, 32), (4, 8), (8, 4), (9, 2), (16, 2), (40, 2)])
def test_an_update_has_room_for_fewer_of_each_the_more_groups_there_are(
    groups: int, each: int
) -> None:
    """An even number, so that successes and failures have as many, and a pair at least."""
    assert completions_each(groups, 32) == each


def test_a_group_in_tokens_is_thinned_like_its_rewards() -> None:
    """Whatever goes with a completion stays with it."""
    group = TrainingGroup(
        prompt=(1,),
        completions=((2,), (3, 4), (5,)),
        advantages=(0.5, -0.25, -0.25),
        sampler_logprobs=((-0.1,), (-0.2, -0.3), (-0.4,)),
        credits=(0.1, 0.2, 0.3),
    )
    assert thinned(group, 2) == TrainingGroup(
        prompt=(1,),
        completions=((2,), (3, 4)),
        advantages=(0.5, -0.5),
        sampler_logprobs=((-0.1,), (-0.2, -0.3)),
        credits=(0.1, 0.2),
    )
    assert thinned(group, 4) == group


def test_nothing_is_thinned_unless_asked_for() -> None:
    """The paper trains on whole groups."""
    assert thin([1.0, -1.0, -0.5], None) == {0: 1.0, 1: -1.0, 2: -0.5}


@pytest.mark.parametrize("recipe", GRADIENTS, ids=lambda recipe: recipe.name)
def test_nodes_of_different_gradients_learn_from_each_other(policy: Policy, recipe: Recipe) -> None:
    """What one tried is text to the other: a group of others is encoded by the own recipe."""
    theirs = _scored([Completion(t, ended=True) for t in "34"], [1, 0])
    encoded = encode_group(policy, theirs, recipe)
    assert encoded is not None
    plain = encode_group(policy, theirs, WAGGLE)
    assert plain is not None
    assert encoded.completions == plain.completions
    assert encoded.by_sequence == recipe.by_sequence
    times = 2 if recipe.swarm_advantages == "leave-one-out" else 1
    assert encoded.advantages == pytest.approx([times * one for one in plain.advantages])
