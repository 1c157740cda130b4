"""Observation summariser by rules: how the world differs from the first look, and what was seen in passing."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from stma_ros.domains.pddl.believed_state import literals_in, read_state
from stma_ros.domains.pddl.exclusive_facts import ExclusiveFacts
from stma_ros.domains.pddl.goals import read_subgoal
from stma_ros.domains.pddl.ground_task import Atom, atom_of, literal_of
from stma_ros.domains.pddl.state_space import Condition
from stma_ros.memory.working.chunk_text import closed_lines, pair_text, subgoal_line
from stma_ros.roles.observation_summariser import ChunkQuery
from stma_ros.types.action_model import ActionModel
from stma_ros.types.belief import SubgoalChunk, SubgoalState
from stma_ros.types.sensing import Observation
from stma_ros.types.sentences import Sentences

_MOST_SEEN = 6
"""Facts that were only seen in passing, of those that a summary tells of one subgoal."""

MORE_SEEN = "more facts were seen."
"""Ends the reason of a subgoal of which not all is told."""


class PddlObservationSummariser:
    """An ObservationSummariserRole for worlds with an action model.

    It tells what differs from the first look, except what the subgoal says, where that was met, and what follows from
    the rest. Of what is not always seen and came into view, it tells at most _MOST_SEEN facts, first those about the
    things of the subgoal, and says how many more were seen.
    """

    def answer(self, query: ChunkQuery) -> SubgoalChunk:
        model = query.records[-1].action_model
        sentences = Sentences(model)
        first = pair_text(query.first)
        earlier = "\n".join((first, *closed_lines(query.previous)))
        at_first = read_state(first, model, sentences).true
        before = read_state(earlier, model, sentences).true
        begun = subgoal_line(SubgoalChunk(id=query.previous.id + 1, subgoal=query.subgoal))
        now = read_state("\n".join((earlier, begun, *map(pair_text, query.records))), model, sentences).true
        subgoal = read_subgoal(query.subgoal, sentences)
        passing = _passing_facts(query.records, now - before, model, sentences, _names(subgoal))
        shown = now - set(passing[_MOST_SEEN:])
        state, reason = _verdict(subgoal, now, query.records[-1])
        told = _differences(shown, at_first, model)
        if subgoal is not None and state == SubgoalState.MET:
            told = {atom: value for atom, value in told.items() if atom not in subgoal.true | subgoal.false}
        text = sentences.text(literal_of(atom, negated=not told[atom]) for atom in sorted(told))
        if len(passing) > _MOST_SEEN:
            reason = f"{reason} {len(passing) - _MOST_SEEN} {MORE_SEEN}".lstrip()
        return SubgoalChunk(
            observation=text or "Nothing else changed.",
            state=state,
            reason=reason,
            completed=query.completed,
        )


def _differences(now: Collection[Atom], at_first: Collection[Atom], model: ActionModel) -> dict[Atom, bool]:
    """Returns what differs from the first look, without what follows from what is true."""
    exclusive = ExclusiveFacts(model, at_first)
    true = [atom for atom in now if atom not in at_first]
    false = [atom for atom in at_first if atom not in now]
    implied = {other for atom in true for other in exclusive.excluded_by(atom, false)}
    return dict.fromkeys(true, True) | {atom: False for atom in false if atom not in implied}


def _passing_facts(
    records: Iterable[Observation],
    new: Collection[Atom],
    model: ActionModel,
    sentences: Sentences,
    names: set[str],
) -> list[Atom]:
    """Returns what is not always seen and came into view without an action about it, first what is about names."""
    passing = {predicate.name for predicate in model.predicates if predicate.seen_when}
    seen: dict[Atom, None] = {}
    for record in records:
        command = sentences.read_command(str(record.last_outcome.action))
        arguments = set(command[1]) if command is not None else set()
        for literal in literals_in(f"{record.feedback} {record.description}", sentences):
            atom = atom_of(literal)
            is_moved = bool(arguments) and arguments >= set(atom[1:])
            if atom[0] in passing and atom in new and not is_moved:
                seen[atom] = None
    return sorted(seen, key=lambda atom: (-len(names & set(atom[1:])), atom))


def _verdict(subgoal: Condition | None, now: Collection[Atom], last: Observation) -> tuple[SubgoalState, str]:
    if subgoal is None:
        return SubgoalState.UNKNOWN, ""
    if subgoal.holds(now):
        return SubgoalState.MET, ""
    outcome = last.last_outcome
    return SubgoalState.NOT_MET, f"{outcome.action} had no effect." if outcome.error else ""


def _names(subgoal: Condition | None) -> set[str]:
    """Returns the objects that a subgoal is about."""
    return (
        set() if subgoal is None else {name for atom in (*subgoal.true, *subgoal.false) for name in atom[1:]}
    )
