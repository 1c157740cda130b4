"""Says in words which detectors found an object, and who says what of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from stma_ros.types.evidence import EvidenceSource
from stma_ros.types.scene_graph import ObjectNode, Relation

_HOW = {
    EvidenceSource.OWN_ACTION: "own action",
    EvidenceSource.GEOMETRY: "depth",
    EvidenceSource.APPEARANCE: "colour",
    EvidenceSource.LABEL: "label",
}


def with_detectors(what: str, detectors: Iterable[str]) -> str:
    """Returns a word with the detectors that say so, "open (model)"; alone if none are known."""
    names = ", ".join(detectors)
    return f"{what} ({names})" if names else what


def provenance(node: ObjectNode, place: Relation | None = None) -> str:
    """Returns who says what of an object, such as "found by network, model; open (model 0.70)"; empty = not known.

    Args:
        node: the object.
        place: what it is in or on; None = not known.
    """
    return "; ".join(_parts(node, place))


def _parts(node: ObjectNode, place: Relation | None) -> Iterator[str]:
    if node.detectors:
        yield f"found by {', '.join(node.detectors)}"
    facts = [(each.state, each.source, each.detectors, each.confidence) for each in node.states]
    if place is not None:
        told = f"{place.predicate} {place.object}"
        facts.append((told, place.source, place.detectors, place.confidence))
    for what, source, detectors, confidence in facts:
        who = ", ".join(_who(source, detectors))
        if who:
            yield f"{what} ({who} {confidence:.2f})"


def _who(source: EvidenceSource, detectors: Iterable[str]) -> Iterator[str]:
    """Yields what a fact rests on: a detector in place of its kind of evidence, where it is known."""
    names = tuple(detectors)
    if source in _HOW and not (names and source == EvidenceSource.LABEL):
        yield _HOW[source]
    yield from names
