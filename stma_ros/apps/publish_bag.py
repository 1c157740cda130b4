"""`stma replay --publish`: plays a bag onto the live ROS graph, for RViz or for running nodes."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console
from rich.markup import escape

from stma_ros.apps.console import make_console, make_progress
from stma_ros.ros.player import Player
from stma_ros.ros.playlist import Playlist, Selection, make_playlist
from stma_ros.storage.bag.reader import Bag, Damage


def publish(path: Path, rate: float = 1.0, only: str = "all", namespace: str | None = None) -> int:
    """Runs the subcommand.

    Args:
        path: the bag.
        rate: seconds of the recording per second.
        only: a value of Selection.
        namespace: replaces the recorded robot's namespace; None = as recorded.

    Returns:
        The exit status: 1 when a part of the bag was not played.

    Raises:
        ConfigurationError: a robot runs or a bag is played in this domain already.
        StorageError: the bag holds nothing to play.
    """
    console = make_console()
    bag = Bag(path)
    selection = Selection(only)
    playlist = make_playlist(bag, selection, namespace)
    for topic, reason in playlist.left_out.items():
        _say(console, f"left out: {topic}: {reason}", "yellow")
    _say(console, "looking for others on these topics", "dim")
    with Player(bag, playlist, feed=selection is Selection.INPUTS) as player:
        _say(console, f"{len(playlist.tracks)} topic(s), waiting for readers", "dim")
        player.wait_for_readers(lambda line: _say(console, line, "dim"))
        damaged = _play(console, bag, playlist, player, rate)
    return 1 if damaged or playlist.left_out else 0


def _play(console: Console, bag: Bag, playlist: Playlist, player: Player, rate: float) -> int:
    """Plays with a progress bar; returns the number of damaged parts, without the end of a bag that was cut."""
    damaged: list[Damage] = []

    def damage(found: Damage) -> None:
        if not found.is_cut:
            damaged.append(found)
        _say(console, str(found), "yellow")

    with make_progress(console) as progress:
        total = sum(bag.topics[track.recorded].count for track in playlist.tracks)
        bar = progress.add_task("", total=total, rate=f"at {rate:g} times its pace")
        played = player.play(
            rate, lambda: progress.advance(bar), damage, lambda line: _say(console, line, "dim")
        )
    _say(console, f"{played} message(s) on {len(playlist.tracks)} topic(s) played")
    return len(damaged)


def _say(console: Console, line: str, style: str = "") -> None:
    console.print(escape(line), style=style or None, highlight=False, soft_wrap=True)
