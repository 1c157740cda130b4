"""Reads what is believed of the world out of the text of a temporal belief, as a language model would.

The first look and looks around say what is true; what they do not mention is false, except what is not always seen.
Actions change that as the model says, unless they had no effect; observations, summaries and subgoals that were met
correct it. Facts that exclude one another are not believed together.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from stma_ros.domains.pddl.exclusive_facts import ExclusiveFacts
from stma_ros.domains.pddl.ground_task import Atom, atom_of, operator_of
from stma_ros.domains.pddl.hidden_facts import HiddenFacts
from stma_ros.memory.working.chunk_text import SUBGOAL_LINE, state_of
from stma_ros.types.action_model import ActionModel, Literal
from stma_ros.types.belief import SubgoalState
from stma_ros.types.sentences import END, Sentences

_LINE = re.compile(r"(?P<head>Action|Failed|Observation|Last observation|Summary): (?P<text>.*)")
_LOOK_AROUND = "look around"


@dataclass
class BelievedState:
    """What is believed.

    Attributes:
        true: atoms that are true.
        denied: atoms of predicates that are not always seen, which were looked for and are not true.
        failed: commands that had no effect since the last one that had.
        has_base: whether a look says what is false; without one, what is not mentioned is unknown.
    """

    true: set[Atom] = field(default_factory=set)
    denied: set[Atom] = field(default_factory=set)
    failed: set[str] = field(default_factory=set)
    has_base: bool = False


def read_state(text: str, model: ActionModel, sentences: Sentences) -> BelievedState:
    """Returns the state that a temporal belief's text comes to; what says nothing of it is ignored."""
    reader = _Reader(model, sentences)
    for line in text.splitlines():
        if (subgoal := SUBGOAL_LINE.fullmatch(line)) is not None:
            reader.begin(subgoal["subgoal"], is_met=state_of(subgoal) == SubgoalState.MET)
        elif (match := _LINE.fullmatch(line)) is not None:
            reader.read(match["head"], match["text"])
    reader.finish()
    return reader.state


def literals_in(text: str, sentences: Sentences) -> Iterator[Literal]:
    """Yields the literals that the sentences of a text state."""
    for sentence in text.split(END):
        literal = sentences.read_sentence(sentence)
        if literal is not None:
            yield literal


class _Reader:
    def __init__(self, model: ActionModel, sentences: Sentences) -> None:
        self.state = BelievedState()
        self._model = model
        self._sentences = sentences
        self._hidden = HiddenFacts(model, sentences)
        self._command = ""
        self._pending = False  # whether the effects of the last command are still to be applied
        self._exclusive = ExclusiveFacts(model, ())
        self._met = ""  # the present subgoal, if it was met when it ended
        self._at_first: frozenset[Atom] = frozenset()
        self._is_first = True

    def read(self, head: str, text: str) -> None:
        if head == "Action":
            self._apply()
            self._command, self._pending = text, True
        elif head == "Failed":
            self._pending = False
            self.state.failed.add(self._command)
        elif head == "Observation":
            self._observe(text)
        elif head == "Summary":
            self._apply()
            # It tells everything that differs from the first look, whatever subgoals before it have reached, but not
            # everything that was seen in passing.
            seen = (atom for atom in self.state.true if atom[0] in self._hidden)
            self.state.true = {*self._at_first, *seen}
            self._believe(literals_in(text, self._sentences))
        else:
            self._believe(literals_in(text, self._sentences))
        self._is_first = False

    def begin(self, subgoal: str, *, is_met: bool) -> None:
        """Reads the first line of a subgoal. is_met: whether it was met, when it ended."""
        self.finish()
        self._command, self._is_first = "", False
        self._met = subgoal if is_met else ""

    def finish(self) -> None:
        """Ends the last subgoal."""
        self._apply()
        self._believe(literals_in(self._met.replace(";", END), self._sentences))

    def _observe(self, text: str) -> None:
        if self._pending and is_no_effect(text):
            self._pending = False
            self.state.failed.add(self._command)
        before = frozenset(self.state.true)
        self._apply()
        literals = tuple(literals_in(text, self._sentences))
        if self._command == _LOOK_AROUND or (self._is_first and not self._command):
            self._look(literals)
        self._believe(literals)
        if self._command or self._is_first:
            self._deny_unseen(before)

    def _believe(self, literals: Iterable[Literal]) -> None:
        """Takes literals for true, and what they exclude for false."""
        for literal in sorted(literals, key=lambda each: not each.negated):
            atom = atom_of(literal)
            self.state.denied.discard(atom)
            if not literal.negated:
                self.state.true.difference_update(tuple(self._exclusive.excluded_by(atom, self.state.true)))
                self.state.true.add(atom)
                continue
            self.state.true.discard(atom)
            if atom[0] in self._hidden:
                self.state.denied.add(atom)

    def _look(self, literals: Iterable[Literal]) -> None:
        """Forgets what a look would have shown and did not."""
        shown = {atom_of(literal) for literal in literals if not literal.negated}
        in_view = self._hidden.seen_in(shown)
        kept = {atom for atom in self.state.true if atom[0] in self._hidden and atom not in in_view}
        self.state.true = kept
        self._exclusive = ExclusiveFacts(self._model, kept | shown)
        self._at_first = self._at_first if self.state.has_base else frozenset(shown)
        self.state.has_base = True
        self.state.failed.clear()

    def _deny_unseen(self, before: Collection[Atom]) -> None:
        """Denies the facts that came into view by the last action, and were not seen. before: what was true before it.

        What was in view before may have been left out by a summary.
        """
        looked = self._is_first or self._command == _LOOK_AROUND
        in_view = self._hidden.seen_in(self.state.true)
        earlier = self._hidden.seen_in(() if looked else before)
        self.state.denied |= {
            atom
            for atom in self._hidden.atoms()
            if atom not in self.state.true and atom in in_view and atom not in earlier
        }

    def _apply(self) -> None:
        """Applies the effects of the last command."""
        if not self._pending:
            return
        self._pending = False
        read = self._sentences.read_command(self._command)
        if read is None:
            return
        operator = operator_of(*read)
        self.state.true.difference_update(operator.deletes)
        self.state.true.update(operator.adds)
        self.state.denied.difference_update(operator.adds)
        self.state.failed.clear()


def is_no_effect(text: str) -> bool:
    """Returns whether an observation says that the action before it had no effect."""
    return "no effect" in text.casefold()
