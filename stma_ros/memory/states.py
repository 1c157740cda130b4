"""The states of one object, fused from looks and from results of actions.

Each dimension (openness, power, ...) holds one fact: its most likely state, and how sure that is. Confidences are fused
as log-odds by this rule:

- The result of the robot's own action replaces what was believed. A look of the same moment does not count against it;
  later looks count as against anything else.
- A first look is believed as far as it is sure. Further looks of the same source are not independent of it: each adds
  half of its log-odds, up to 1.5 times those of the surest look. Looks of another source or detector add all of theirs,
  up to twice those of the surest. No number of looks makes a state surer than LOOKS_LIMIT.
- A later look that contradicts the belief takes its log-odds away, and a third more, since things change. Where they
  outweigh the belief, the rest is what is believed of the new state: one wrong look is corrected by the next right one.
- Two sources that contradict each other within CONFLICT seconds mean that one of them is wrong, nobody knows which. The
  contradiction counts twice, and it makes the state unknown at most, and not the other one.
- Looks get stale: their log-odds halve in STALE_AFTER seconds, once they are that old. Results of own actions do not.

A state that is less sure than TOLD is unknown. It is stored, since the next look may make it surer, and not told.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

from stma_ros.memory.detector_names import united
from stma_ros.types import vocabulary as words
from stma_ros.types.evidence import EvidenceSource, StateEstimate
from stma_ros.types.scene_graph import Relation
from stma_ros.types.standard import Time

States = tuple[Relation, ...]
"""At most one fact for each dimension, sorted by the dimensions' names, and at most MAX_UNKNOWN states that the
vocabulary does not know. `first_seen` and `last_seen` are when evidence for the state came first and last."""

OPENNESS, PRESENCE = "openness", "presence"

MAX_UNKNOWN = 4
"""States of one object that are stored although the vocabulary does not know them; the newest ones."""

TOLD = 0.6
"""Smallest confidence of a state that counts as known."""

LOOKS_LIMIT, ACTION_LIMIT = 0.99, 0.998
"""Largest confidences that looks reach, and that count of an action's result."""

CONFLICT = 2.0
"""Time within which two sources are taken to have seen the same state [s]."""

STALE_AFTER = 600.0
"""Age from which a look loses confidence [s], and the time in which its log-odds halve then."""

NEWER = 4 / 3
"""Weight of a look that contradicts an older one, so that it counts if both are equally sure."""

_SAME_SOURCE, _OTHER_SOURCE = (0.5, 1.5), (1.0, 2.0)
"""Share of a further look's log-odds that is added, and the limit in multiples of the surest look."""


def dimension(state: str) -> str:
    """Returns the dimension of a state; a state that the vocabulary does not know is a dimension of its own."""
    return words.STATE_DIMENSION.get(state, state)


def oldest_surplus(states: Iterable[Relation]) -> Relation | None:
    """Returns the oldest of the states that the vocabulary does not know if they are too many, else None."""
    unknown = [fact for fact in states if fact.object not in words.STATE_DIMENSION]
    return min(unknown, key=lambda fact: fact.last_seen) if len(unknown) > MAX_UNKNOWN else None


def state_in(states: States, wanted: str) -> Relation | None:
    """Returns the fact in dimension `wanted`; None if its state is unknown."""
    fact = _held(states, wanted)
    return fact if fact is not None and fact.confidence >= TOLD else None


def told(states: States, now: Time) -> States:
    """Returns the facts that are sure enough at a time, with their confidence then."""
    return tuple(fact for fact in (aged(each, now) for each in states) if fact.confidence >= TOLD)


def aged(fact: Relation, now: Time) -> Relation:
    """Returns a fact with its confidence at a time: looks get stale."""
    if _is_own(fact) or dimension(fact.object) == PRESENCE:
        return fact
    stale = (now.nanoseconds - fact.last_seen.nanoseconds) * 1e-9 - STALE_AFTER
    if stale <= 0:
        return fact
    return replace(fact, confidence=_confidence(_log_odds(fact) * 0.5 ** (stale / STALE_AFTER)))


def with_reported(states: States, fact: Relation) -> States:
    """Returns the states with a fact that follows from an action, or with that of another track of the object.

    The result of an action replaces a fact that is not newer: if the same moment was seen as well, the action's result
    counts. Reports are repeated at every step; a result that looks have weakened since is not restored.
    """
    known = _held(states, dimension(fact.object))
    if known is None:
        return _with(states, fact)
    if not _is_own(fact) and dimension(fact.object) != PRESENCE:
        return _with(states, _joined(known, fact))
    repeated = (known.source, known.object, known.last_seen) == (fact.source, fact.object, fact.last_seen)
    if repeated or known.last_seen > fact.last_seen:
        return states
    begun = known.first_seen if known.object == fact.object else fact.first_seen
    return _with(states, replace(fact, first_seen=begun))


def with_observed(states: States, subject: str, seen: Iterable[StateEstimate], stamp: Time) -> States:
    """Returns the states with those that a view at `stamp` shows of the object `subject`.

    Estimates of one dimension are fused with one another first, in any order; those of a confidence up to 0.5 say
    nothing.
    """
    by_dimension: dict[str, list[StateEstimate]] = {}
    for estimate in seen:
        if estimate.state != words.STATE_UNKNOWN and estimate.confidence > 0.5:
            by_dimension.setdefault(dimension(estimate.state), []).append(estimate)
    for name, estimates in by_dimension.items():
        known, look = _held(states, name), _Look.of(estimates)
        if known is None:
            fact = Relation(
                subject,
                words.STATE,
                look.state,
                source=look.source,
                confidence=_confidence(look.weight),
                first_seen=stamp,
                last_seen=stamp,
                detectors=look.detectors,
            )
            states = _with(states, fact)
        elif known.last_seen < stamp or (known.last_seen == stamp and not _is_own(known)):
            states = _with(states, _after(known, look, stamp))
    return states


def without(states: States, gone: str) -> States:
    """Returns the states without the fact in dimension `gone`."""
    if _held(states, gone) is None:
        return states
    return tuple(fact for fact in states if dimension(fact.object) != gone)


def ended(before: States, after: States) -> States:
    """Returns the facts of `before` that are not in `after`."""
    remaining = {fact.object for fact in after}
    return tuple(fact for fact in before if fact.object not in remaining)


# -- fusion


@dataclass(frozen=True)
class _Look:
    """What one view says of a dimension.

    Attributes:
        state: the most likely state.
        weight: log-odds of it; 0 if the view's sources contradict one another.
        source: the surest source that says so.
        detectors: names of the detectors that say so, sorted.
        against: log-odds by which the view speaks against states, by state; of those that its sources disagree on.
    """

    state: str
    weight: float
    source: EvidenceSource
    detectors: tuple[str, ...] = ()
    against: tuple[tuple[str, float], ...] = ()

    @classmethod
    def of(cls, estimates: Iterable[StateEstimate]) -> _Look:
        """Returns the look that consists of these estimates of one dimension.

        Of each source and detector the surest estimate counts for each state. Those that agree add up; if they
        disagree, the second state counts twice against the first.
        """
        surest: dict[tuple[str, EvidenceSource, tuple[str, ...]], float] = {}
        for estimate in estimates:
            key = estimate.state, estimate.source, estimate.detectors
            surest[key] = max(surest.get(key, 0.0), _log_odds_of(estimate.confidence, LOOKS_LIMIT))
        weights: dict[str, list[float]] = {}
        for (state, *_), weight in sorted(surest.items()):
            weights.setdefault(state, []).append(weight)
        ranked = sorted(
            ((state, min(sum(parts), _OTHER_SOURCE[1] * max(parts))) for state, parts in weights.items()),
            key=lambda item: (-item[1], item[0]),
        )
        (state, best), *others = ranked
        second = others[0][1] if others else 0.0
        agreeing = [key for key in surest if key[0] == state]
        _, source, _ = min(agreeing, key=lambda key: (-surest[key], *key[1:]))
        weight = max(best - 2 * second, 0.0)
        detectors = united(*(names for *_, names in agreeing))
        return cls(state, weight, source, detectors, () if weight else tuple(ranked))

    def repeats(self, known: Relation) -> bool:
        """Whether it is of a source, and of detectors, that say so already."""
        return self.source == known.source and set(self.detectors) <= set(known.detectors)


def _after(known: Relation, look: _Look, stamp: Time) -> Relation:
    """Returns what is believed of a dimension after a look at `stamp`."""
    held = _log_odds(aged(known, stamp))
    if look.against:
        against = max((weight for state, weight in look.against if state != known.object), default=0.0)
        return _weakened(known, held, against)
    # Furniture that does not open looks closed.
    if look.state == known.object or (look.state, known.object) == (
        words.STATE_CLOSED,
        words.STATE_NOT_OPENABLE,
    ):
        return _supported(known, held, look, stamp)
    elapsed = (stamp.nanoseconds - known.last_seen.nanoseconds) * 1e-9
    if not _is_own(known) and not look.repeats(known) and elapsed <= CONFLICT:
        return _weakened(known, held, 2 * look.weight)
    rest = NEWER * look.weight - held
    if rest <= 0:
        return _weakened(known, held, NEWER * look.weight)
    return replace(
        known,
        object=look.state,
        source=look.source,
        confidence=_confidence(min(rest, look.weight)),
        first_seen=stamp,
        last_seen=stamp,
        detectors=look.detectors,
    )


def _weakened(known: Relation, held: float, loss: float) -> Relation:
    """Returns a fact after a look that speaks against it. Its confidence remains that of its last look, which ages.

    Args:
        known: the fact.
        held: its log-odds at the time of the look.
        loss: what it loses of these.
    """
    remaining = max(1 - loss / held, 0.0) if held else 0.0
    return replace(known, confidence=_confidence(remaining * _log_odds(known)))


def _supported(known: Relation, held: float, look: _Look, stamp: Time) -> Relation:
    """Returns a fact after a look that agrees with it; held: its log-odds."""
    if _is_own(known) and known.confidence > LOOKS_LIMIT:
        return replace(known, last_seen=stamp)
    share, limit = _SAME_SOURCE if look.repeats(known) else _OTHER_SOURCE
    together = min(held + share * look.weight, limit * look.weight, _log_odds_of(LOOKS_LIMIT, LOOKS_LIMIT))
    return replace(
        known,
        confidence=_confidence(max(held, look.weight, together)),
        source=look.source if look.weight > held else known.source,
        last_seen=stamp,
        detectors=united(known.detectors, look.detectors),
    )


def _joined(known: Relation, fact: Relation) -> Relation:
    """Returns what two tracks of one object tell of a dimension; fact: the result of looks."""
    if _is_own(known) and known.last_seen >= fact.last_seen:
        return known
    older, newer = sorted((known, fact), key=lambda item: (item.last_seen.nanoseconds, item.object))
    look = _Look(newer.object, _log_odds(newer), newer.source, newer.detectors)
    joined = _after(older, look, newer.last_seen)
    if joined.object != newer.object:
        return joined
    begun = min(older.first_seen, newer.first_seen) if older.object == newer.object else newer.first_seen
    return replace(joined, first_seen=begun)


def _is_own(fact: Relation) -> bool:
    return fact.source == EvidenceSource.OWN_ACTION


def _log_odds(fact: Relation) -> float:
    """Returns the log-odds of a state that is believed, at least 0."""
    return _log_odds_of(fact.confidence, ACTION_LIMIT if _is_own(fact) else LOOKS_LIMIT)


def _log_odds_of(confidence: float, limit: float) -> float:
    sure = min(max(confidence, 0.5), limit)
    return math.log(sure / (1 - sure))


def _confidence(log_odds: float) -> float:
    return 1 / (1 + math.exp(-log_odds))


def _held(states: States, wanted: str) -> Relation | None:
    """Returns the fact in a dimension, however unsure."""
    return next((fact for fact in states if dimension(fact.object) == wanted), None)


def _with(states: States, fact: Relation) -> States:
    others = without(states, dimension(fact.object))
    all_of_them = sorted((*others, fact), key=lambda item: dimension(item.object))
    oldest = oldest_surplus(all_of_them)
    return tuple(item for item in all_of_them if item is not oldest)
