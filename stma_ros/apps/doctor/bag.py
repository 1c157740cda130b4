"""`stma doctor --bag`: lists the content of a bag, what the agent can use of it, and remedies for the rest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from statistics import median

from stma_ros.apps.console import make_console
from stma_ros.apps.doctor.bag_survey import Stream, Survey, survey
from stma_ros.apps.doctor.checks import Check, Finding, State
from stma_ros.apps.doctor.command import show_findings
from stma_ros.apps.doctor.depth_values import depth_findings, depth_values
from stma_ros.mapping.floor_plane import FloorPlane
from stma_ros.replay.exact_replay import is_replayable
from stma_ros.sensing.bag_frames import ExternalBagFrames
from stma_ros.sensing.bag_topics import ImageFormat, choose_topics, first_formats, recorded_types
from stma_ros.sensing.carrier import is_mounted
from stma_ros.sensing.detectors.names import DETECTIONS
from stma_ros.sensing.levelling import is_level, where
from stma_ros.sensing.mapping_file import BagMapping, read_mapping
from stma_ros.sensing.topic_map import TopicMap, candidates
from stma_ros.storage.bag.reader import Bag
from stma_ros.types.errors import StmaError, StorageError
from stma_ros.types.standard import NANOSECONDS_PER_SECOND

_DAMAGES_SHOWN = 5
_GAP = 10
"""A pause is reported when it is this many times as long as the usual period, and longer than a second."""

_OF_DEPTH = ("16UC1", "mono16", "32FC1")
"""Encodings that colour images never have."""


def check_bag(path: Path, mapping: Path | None) -> int:
    """Runs the subcommand.

    Args:
        path: the bag.
        mapping: YAML file that assigns topics; None = by their types and names.

    Returns:
        The exit status: 1 where a required part is missing.

    Raises:
        StorageError: there is no bag.
        ConfigurationError: the mapping does not fit the bag.
    """
    console = make_console()
    about = read_mapping(mapping)
    bag = Bag(path)
    chosen = TopicMap() if is_replayable(bag) else choose_topics(bag, about)
    with console.status("[dim]reading the bag"):
        seen = survey(bag, sampled=chosen.depth)
    if is_replayable(bag):
        checks: dict[str, Check] = {
            "bag": partial(_recording, bag, seen),
            "replay": partial(_replayable, bag),
        }
    else:
        types = recorded_types(bag)
        looks = first_formats(bag, chosen.names.values() if chosen.depth else types, types)
        checks = {
            "bag": partial(_recording, bag, seen),
            "replay": _not_replayable,
            "topics": partial(_topics, bag, chosen, about, seen, looks),
            **({"depth": partial(_depth, bag, about, seen)} if chosen.depth else {}),
            "frames": partial(_frames, bag, chosen, about),
        }
    found = show_findings(console, checks)
    console.print(f"\n{_verdict(found)}", highlight=False, markup=False)
    return 1 if found[State.MISSING] else 0


def _verdict(found: Mapping[State, int]) -> str:
    if found[State.MISSING]:
        return f"{found[State.MISSING]} missing; what to do stands next to each"
    return f"this bag can be used{'; mind the notes' if found[State.NOTE] else ''}"


def _recording(bag: Bag, seen: Survey) -> Iterator[Finding]:
    total = sum(stream.count for stream in seen.streams.values())
    span = f"{total} messages on {len(seen.streams)} topics in {seen.seconds:.1f} s"
    if total:
        yield Finding(str(bag.path), State.FOUND, span)
    else:
        yield Finding(str(bag.path), State.MISSING, "it holds no messages", "record it again")
    if len(bag.files) > 1:
        yield Finding("files", State.FOUND, ", ".join(file.name for file in bag.files))
    if not bag.is_finished:
        yield Finding(
            "end", State.NOTE, "the recorder did not close it", "what was written until then is read"
        )
    for damage in seen.damages[:_DAMAGES_SHOWN]:
        remedy = "" if damage.is_cut else "what follows it is read all the same"
        yield Finding("damage", State.NOTE, str(damage), remedy)
    if len(seen.damages) > _DAMAGES_SHOWN:
        yield Finding("damage", State.NOTE, f"{len(seen.damages) - _DAMAGES_SHOWN} more places")


def _replayable(bag: Bag) -> Iterator[Finding]:
    try:
        bag.namespace()
    except StorageError as error:
        yield Finding("decision by decision", State.MISSING, str(error))
        return
    yield Finding("decision by decision", State.FOUND, "journal and configuration were recorded")


def _not_replayable() -> Iterator[Finding]:
    remedy = "`stma replay` lets the agent watch it: it maps and remembers what the camera saw"
    yield Finding(
        "decision by decision", State.OPTIONAL, "no journal and configuration of this agent", remedy
    )


def _topics(
    bag: Bag, chosen: TopicMap, about: BagMapping, seen: Survey, looks: Mapping[str, ImageFormat]
) -> Iterator[Finding]:
    types = recorded_types(bag)
    unnamed = [] if chosen.depth else _like_depth(looks, chosen)
    for kind, name in chosen.names.items():
        others = [other for other in candidates(kind, types, chosen.names) if other not in (name, *unnamed)]
        yield from _topic(kind, seen.streams.get(name, Stream(name)), looks.get(name))
        if others:
            shown = ", ".join(others[:3])
            yield Finding(f"{kind}: others", State.NOTE, shown, f"topics.{kind} in a mapping file chooses")
    missing = chosen.missing(is_mounted(bag, chosen, about))
    for kind, remedy in missing.items():
        if kind == "depth" and unnamed:
            shown = ", ".join(f"{name} is {looks[name].encoding}: depth?" for name in unnamed)
            yield Finding(kind, State.MISSING, shown, "name it as topics.depth in a mapping file")
        else:
            yield Finding(kind, State.MISSING, "no topic of this type and name", remedy)
    if detections := chosen.detections or chosen.class_mask or about.detections:
        yield Finding(
            "what finds things", State.FOUND, f"{detections}, with --set perception.source={DETECTIONS}"
        )
    else:
        for kind, remedy in chosen.unrecognised(bool(about.segmentation_labels)).items():
            yield Finding(kind, State.OPTIONAL, "no topic of this type and name", remedy)
    if missing:
        rest = ", ".join(f"{name} ({ros_type})" for name, ros_type in sorted(types.items()))
        yield Finding("in the bag", State.OPTIONAL, rest or "nothing", "name topics in a mapping file")


def _like_depth(looks: Mapping[str, ImageFormat], chosen: TopicMap) -> list[str]:
    """Returns the topics with depth images, by their encoding."""
    return [
        name for name, look in looks.items() if look.encoding in _OF_DEPTH and name != chosen.segmentation
    ]


def _topic(kind: str, stream: Stream, look: ImageFormat | None) -> Iterator[Finding]:
    parts = [stream.name, f"{stream.count} messages"]
    if stream.rate:
        parts.append(f"{stream.rate:.1f} Hz")
    if look is not None:
        parts.append(f"{look.width}x{look.height} {look.encoding}".rstrip())
    if stream.frame_id:
        parts.append(f"in {stream.frame_id!r}")
    yield Finding(kind, State.FOUND, ", ".join(parts))
    if stream.without_stamp:
        remedy = "the times at which they were recorded are taken"
        yield Finding(kind, State.NOTE, f"{stream.without_stamp} messages have no stamp", remedy)
    if stream.jumps_back:
        remedy = "time was set back, or stamps are out of order: `part` in a mapping file chooses a stretch"
        yield Finding(kind, State.NOTE, f"stamps go back {stream.jumps_back} times", remedy)
    longest = stream.longest_gap / NANOSECONDS_PER_SECOND
    if stream.rate and longest > max(1.0, _GAP / stream.rate):
        yield Finding(kind, State.NOTE, f"a gap of {longest:.1f} s", "nothing is mapped meanwhile")


def _depth(bag: Bag, about: BagMapping, seen: Survey) -> Iterator[Finding]:
    """Reports the numbers in sampled depth images."""
    values = depth_values(bag, seen.sample.messages, about.depth_rule)
    if values is None:
        yield Finding("pixels", State.OPTIONAL, "no depth image can be read", "see the topics")
    else:
        yield from depth_findings(values, about.depth_rule)


def _floor(floor: FloorPlane | None) -> Finding:
    """Reports where the floor is in the map; what is wrong with it is among the notes."""
    if floor is None:
        return Finding("floor", State.OPTIONAL, "none was seen", "nothing says whether it is at z = 0")
    return Finding("floor", State.FOUND if is_level(floor) else State.NOTE, where(floor))


def _frames(bag: Bag, chosen: TopicMap, about: BagMapping) -> Iterator[Finding]:
    """Reports the result of `stma replay` on the bag."""
    if chosen.missing(is_mounted(bag, chosen, about)):
        yield Finding("frames", State.MISSING, "none can be made", "see the topics")
        return
    frames = ExternalBagFrames(bag, chosen, about)
    try:
        for _ in frames:
            pass
    except StmaError as error:
        yield Finding("frames", State.MISSING, str(error))
        return
    tally = frames.tally
    state = State.FOUND if tally.frames else State.MISSING
    yield Finding(
        "frames", state, f"{tally.frames} of {tally.seen} depth images", "see what is left out, below"
    )
    if tally.offsets:
        offsets = sorted(offset / 1e6 for offset in tally.offsets)
        text = f"median {median(offsets):.1f} ms, at most {offsets[-1]:.1f} ms"
        yield Finding("from depth to colour", State.FOUND, text)
    if tally.frames:
        yield _floor(tally.floor)
    for reason, count in tally.skipped.most_common():
        yield Finding("left out", State.NOTE, f"{count}: {reason}")
    for note in tally.notes:
        yield Finding("frames", State.NOTE, note)
