"""Scored groups -> groups in the policy's own tokens, ready to be trained on.

Of groups of others two kinds of completions may be left out before that, see ``Recipe``: right
answers in an unusual form, and what the policy finds implausible. One by one, not group by group:
what is left teaches what it would have taught alone.
"""

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from statistics import fmean

from core.models.memory.budget import SharedBudget
from core.models.policy.policy import Policy
from core.rollouts.answers import shows_work
from core.rollouts.prior import BetaPrior
from core.rollouts.recipes import SAPO, Recipe
from core.rollouts.types import Completion, SampledTokens, ScoredGroup
from core.training.advantages import (
    PLAIN,
    centred_advantages,
    credits_of_working,
    shrunk_advantages,
    stratified_advantages,
)
from core.training.batch import TrainingGroup
from core.training.effect_of_working import EffectOfWorking, worked
from core.training.pass_memory import has_room
from core.training.policy_filter import Plausibility, plausible


def encode_group(
    policy: Policy,
    scored: ScoredGroup,
    recipe: Recipe = SAPO,
    working: EffectOfWorking | None = None,
) -> TrainingGroup | None:
    """Put ``scored`` into the policy's tokens; None where nothing is left to learn from.

    Own completions keep the very tokens that were drawn; the text of others is encoded with the
    own tokenizer, once: what ``accepted`` encoded is taken as it is. Completions longer than the
    budget or empty are left out, and the advantages are taken over those that remain.
    ``working`` tells ``effect`` and ``share`` of ``core.training.advantages``; None: nothing is
    known, and both are 0.
    """
    kept = scored.encoded
    tokenised = kept if isinstance(kept, _Tokenised) else _tokenise(policy, scored)
    return None if tokenised is None else _training_group(tokenised, recipe, working)


def is_own(scored: ScoredGroup) -> bool:
    """Whether this node's own sampler drew all of it, whose tokens are known then."""
    return all(completion.tokens is not None for completion in scored.group.completions)


def accepted(
    policy: Policy,
    groups: Sequence[ScoredGroup],
    recipe: Recipe,
    budget: SharedBudget,
    working: EffectOfWorking | None = None,
) -> list[ScoredGroup]:
    """The part of ``groups`` that may be learnt from, and their completions that may be, in order.

    Left out are questions that are too long for the memory there is, completions that are too long
    or empty, and of others' what ``recipe`` refuses; then groups that are flat, or became so, or
    teach nothing by what is known of ``working`` (see ``encode_group``). Each comes with its
    encoding.
    """
    read = [one for scored in groups if (one := _tokenise(policy, scored)) is not None]
    whole = [one for one in read if one.tokens]
    tokenised = [one for one in whole if has_room(policy, one.centred(), budget.current)]
    if recipe.canonical_only:
        tokenised = [one if one.is_own else one.without(one.scored.unusual) for one in tokenised]
    if recipe.filters_by_policy:
        telling = [one for one in tokenised if not one.is_flat]
        tokenised = _plausible(policy, telling, budget, recipe)
    telling = [one for one in tokenised if _training_group(one, recipe, working) is not None]
    return [replace(one.scored, encoded=one) for one in telling]


@dataclass(frozen=True, slots=True)
class _Tokenised:
    """A group of which every completion fits into the budget, and its tokens."""

    scored: ScoredGroup
    prompt: tuple[int, ...]
    tokens: tuple[SampledTokens, ...]  # one per completion

    @property
    def is_own(self) -> bool:
        return is_own(self.scored)

    @property
    def is_flat(self) -> bool:
        return self.scored.is_flat

    def centred(self) -> TrainingGroup:
        """All completions, each with its reward less their mean."""
        ids = tuple(one.ids for one in self.tokens)
        return TrainingGroup(self.prompt, ids, tuple(centred_advantages(self.scored.rewards)))

    def only(self, members: Sequence[int]) -> "_Tokenised":
        """Those completions, by number."""
        left = tuple(self.tokens[n] for n in members)
        return replace(self, scored=self.scored.only(members), tokens=left)

    def without(self, members: Container[int]) -> "_Tokenised":
        """All completions but those, by number."""
        return self.only([n for n in range(len(self.tokens)) if n not in members])


def _tokenise(policy: Policy, scored: ScoredGroup) -> _Tokenised | None:
    """Encode question and answers; None where the question is too long."""
    prompt = policy.encode_prompt(scored.question.prompt)
    if len(prompt) > policy.spec.prompt_tokens:
        return None
    tokens = tuple(_tokens(policy, completion) for completion in scored.group.completions)
    fitting = range(1, policy.spec.completion_tokens + 1)
    kept = [n for n, one in enumerate(tokens) if len(one.ids) in fitting]
    whole = _Tokenised(scored, tuple(prompt), tokens)
    return whole if len(kept) == len(tokens) else whole.only(kept)


def _plausible(
    policy: Policy, groups: Sequence[_Tokenised], budget: SharedBudget, recipe: Recipe
) -> list[_Tokenised]:
    """Reduce groups of others to what the policy might have said itself."""
    others = [n for n, one in enumerate(groups) if not one.is_own]
    if not others:
        return list(groups)
    whole = [groups[n].centred() for n in others]
    left = list(groups)
    verdicts = plausible(policy, whole, budget, recipe.least_of_failures)
    for n, group, found in zip(others, whole, verdicts, strict=True):
        right = [advantage >= 0 for advantage in group.advantages]
        left[n] = groups[n].only(_believed(groups[n].scored, right, found, recipe))
    return left


def _believed(
    scored: ScoredGroup, right: Sequence[bool], verdicts: Sequence[Plausibility], recipe: Recipe
) -> list[int]:
    """Members of a group of others that may be learnt from; see ``core.training.policy_filter``."""
    stratified = recipe.swarm_advantages == "stratified"
    shown = worked(scored) if stratified else [False] * len(right)
    kept = [
        n
        for n, verdict in enumerate(verdicts)
        if verdict.in_the_mean and (verdict.throughout or (right[n] and not shown[n]))
    ]
    if any(shown[n] and right[n] for n in kept):
        return kept
    return [n for n in kept if not shown[n]]


def _training_group(
    one: _Tokenised, recipe: Recipe, working: EffectOfWorking | None
) -> TrainingGroup | None:
    """The group as an update trains on it; None where it teaches nothing."""
    if one.is_flat and _prior(one, recipe) is None:
        return None
    advantages = _advantages(one, recipe, working)
    of_others = not (one.is_own or one.scored.trusted)
    shaping = recipe.shaping if of_others else 0.0
    # Where there is shaping, what has no advantage does not even count in the loss.
    counted = [member for member, advantage in enumerate(advantages) if advantage or not shaping]
    left = thin([advantages[member] for member in counted], recipe.most_completions)
    told = {counted[n]: advantage for n, advantage in left.items()}
    if not any(told.values()):  # rewards may differ by less than their mean can tell
        return None
    credited = _credits(one, recipe, working)
    tokens = [one.tokens[member] for member in told]
    return TrainingGroup(
        prompt=one.prompt,
        completions=tuple(each.ids for each in tokens),
        advantages=tuple(told.values()),
        sampler_logprobs=tuple(each.logprobs for each in tokens)
        if recipe.weighs_own and one.is_own
        else None,
        shaping=shaping,
        credits=tuple(credited[member] for member in told) if credited else None,
        of_others=of_others,
        by_sequence=recipe.by_sequence,
    )


def thin(advantages: Sequence[float], most: int | None) -> dict[int, float]:
    """Keep at most ``most`` members of a group: number in the group -> advantage.

    Half of them are successes and half failures, as far as there are enough of either. Those that
    are kept stand for those that are not: their advantages are raised so that either side weighs
    what it weighed before; the best and the worst are kept. A rare success with many failures that
    resemble each other teaches about as much as before, and costs a fraction of it (max-variance
    down-sampling, arXiv 2504.13818).
    """
    if most is None or len(advantages) <= most:
        return dict(enumerate(advantages))
    ranked = sorted(range(len(advantages)), key=lambda member: -abs(advantages[member]))
    good = [member for member in ranked if advantages[member] > 0]
    rest = [member for member in ranked if advantages[member] <= 0]
    from_good = min(len(good), max(most // 2, most - len(rest)))
    told = _standing_for(good, from_good, advantages)
    told |= _standing_for(rest, most - from_good, advantages)
    return dict(sorted(told.items()))


def _standing_for(side: Sequence[int], kept: int, advantages: Sequence[float]) -> dict[int, float]:
    """The first ``kept`` members of ``side``, with the sum of all of its advantages."""
    raised = sum(advantages[m] for m in side) / (sum(advantages[m] for m in side[:kept]) or 1.0)
    return {m: advantages[m] * raised for m in side[:kept]}


def completions_each(groups: int, most: int) -> int:
    """How many completions each of ``groups`` keeps where ``most`` is what all have room for.

    An even number, and two at least.
    """
    return max(2, 2 * (most // (2 * groups)))


def thinned(group: TrainingGroup, most: int) -> TrainingGroup:
    """Reduce ``group`` to at most ``most`` completions, as ``thin`` does."""
    told = thin(group.advantages, most)
    return replace(group.only([*told]), advantages=tuple(told.values()))


def _prior(one: _Tokenised, recipe: Recipe) -> BetaPrior | None:
    """What its answers are compared with beside each other; None: nothing."""
    return one.scored.prior if recipe.own_advantages == "shrunk" and one.is_own else None


def _advantages(one: _Tokenised, recipe: Recipe, working: EffectOfWorking | None) -> list[float]:
    rewards = one.scored.rewards
    if prior := _prior(one, recipe):
        return shrunk_advantages(rewards, prior)
    if one.is_own or one.scored.trusted:
        return PLAIN[recipe.own_advantages](rewards)
    if recipe.swarm_advantages == "stratified":
        shown = worked(one.scored)
        return stratified_advantages(rewards, shown, *_known(one, shown, working))
    return PLAIN[recipe.swarm_advantages](rewards)


def _credits(
    one: _Tokenised, recipe: Recipe, working: EffectOfWorking | None
) -> list[float] | None:
    """Those of all completions; None where there are none.

    Of others right answers alone, of kinds that this node tries itself: what it never judges, it
    would never correct. Most of them together may make it try to work, but not leave off trying.
    Of own ones none that only may have been at work: what rambles begins somehow, too.
    """
    if working is None or not recipe.credit or one.scored.trusted:
        return None
    scored, shown = one.scored, worked(one.scored)
    if one.is_own:
        texts = [completion.text for completion in scored.group.completions]
        counts = [not at_work or shows_work(t) for at_work, t in zip(shown, texts, strict=True)]
    elif recipe.swarm_advantages == "stratified" and working.has_tried(scored.question.key.task):
        counts = [plain > 0 for plain in centred_advantages(scored.rewards)]
    else:
        return None
    each = credits_of_working(shown, *_known(one, shown, working, least_said=0.0))
    return [recipe.credit * c if counted else 0.0 for c, counted in zip(each, counts, strict=True)]


def _known(
    one: _Tokenised,
    shown: Sequence[bool],
    working: EffectOfWorking | None,
    least_said: float = -1.0,
) -> tuple[float, float]:
    """``effect`` and ``share`` of ``core.training.advantages``; 0 where nothing is known."""
    if working is None:
        return 0.0, 0.0
    task = one.scored.question.key.task
    return working.expected(task, least_said), working.share(task, fmean(shown))


def _tokens(policy: Policy, completion: Completion) -> SampledTokens:
    """Own tokens as they were drawn; those of others without log-probabilities."""
    if completion.tokens is not None:
        return completion.tokens
    # Judges forgive white space around an answer; it must not be learnt from a stranger for that.
    text = completion.text.strip()
    if policy.cannot_fit(text):  # left out as an empty one is, or padding would cost us seconds
        return SampledTokens((), logprobs=())
    ids = policy.encode_completion(text, ended=completion.ended)
    return SampledTokens(tuple(ids), logprobs=())
