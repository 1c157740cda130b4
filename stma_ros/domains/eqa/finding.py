"""What a scene says to a question."""

from __future__ import annotations

from dataclasses import dataclass, replace

from stma_ros.domains.eqa.scene import KnownThing

YES, NO, NOTHING = "yes", "no", "nothing"


@dataclass(frozen=True)
class Finding:
    """What the scene says to a question.

    Attributes:
        answer: empty = it says nothing.
        things: that it rests on.
        is_complete: whether further looks would hardly change it.
        missing: what would have to be seen.
        is_absence: whether it says that something is nowhere, or that there is no more of it: what was not seen may
            refute it.
        is_guess: whether it takes no account of some words of the question, so that nothing that may be seen makes it
            sure.
    """

    answer: str
    things: tuple[KnownThing, ...] = ()
    is_complete: bool = False
    missing: str = ""
    is_absence: bool = False
    is_guess: bool = False

    @property
    def denied(self) -> Finding:
        """The finding to the opposite question: "yes" for "no"."""
        return replace(self, answer={YES: NO, NO: YES}.get(self.answer, self.answer))
