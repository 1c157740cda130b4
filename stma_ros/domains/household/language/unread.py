"""Why a part of a text is not read."""

from __future__ import annotations


class UnreadError(Exception):
    """A part of a text that is not understood or makes no sense.

    Attributes:
        what: the part of the text.
        fault: predicate for a message, such as "is not read".
        remedy: what to write instead; empty = the general examples.
        about: noun phrase of the object that it is about, as far as known.
    """

    def __init__(self, what: str, fault: str = "is not read", remedy: str = "", *, about: str = "") -> None:
        super().__init__(what)
        self.about = about or what
        self.what = what
        self.fault = fault
        self.remedy = remedy


class LimitingWordError(UnreadError):
    """Words that say which object is meant and that a camera cannot tell: "dirty", "Tom's", "that I was reading"."""

    def __init__(self, what: str, thing: str) -> None:
        """Creates the error.

        Args:
            what: the words.
            thing: the object that they describe.
        """
        many = thing.endswith("s") and not thing.endswith("ss")
        super().__init__(
            what,
            f"does not tell me which {thing} {'are' if many else 'is'} meant, since I cannot perceive it",
            "Say it by kind, colour, size or place.",
            about=thing,
        )
