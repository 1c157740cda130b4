"""Planning tasks for tests: small files in PDDL, and a player of the world `pddl`."""

from __future__ import annotations

from pathlib import Path

from stma_ros.testing.world_conformance.played import Played, play
from stma_ros.testing.world_conformance.subject import command, request
from stma_ros.types.action_model import ActionModel
from stma_ros.types.sentences import Sentences
from stma_ros.worlds.pddl.pddl_world import PddlWorld
from stma_ros.worlds.pddl.problems.registry import GENERATORS
from stma_ros.worlds.pddl.reader import PlanningTask, Source, read_task

LAMP_DOMAIN = """
(define (domain lamps)
  (:requirements :strips :typing)
  (:types lamp room)
  (:predicates (lit ?lamp - lamp) (in ?lamp - lamp ?room - room) (here ?room - room) (switch))
  (:action light
    :parameters (?lamp - lamp ?room - room)
    :precondition (and (in ?lamp ?room) (here ?room))
    :effect (lit ?lamp))
  (:action walk
    :parameters (?from - room ?to - room)
    :precondition (here ?from)
    :effect (and (here ?to) (not (here ?from)))))
"""
LAMP_PROBLEM = """
(define (problem two-lamps)
  (:domain lamps)
  (:objects red blue - lamp hall attic - room)
  (:init (in red hall) (in blue attic) (here hall))
  (:goal (and (lit red) (lit blue))))
"""


def read(domain: str = LAMP_DOMAIN, problem: str = LAMP_PROBLEM) -> PlanningTask:
    """Reads a task from texts; the names of the files are d.pddl and p.pddl."""
    return read_task(Source("d.pddl", domain), Source("p.pddl", problem))


def write_task(folder: Path, domain: str = LAMP_DOMAIN, problem: str = LAMP_PROBLEM, **others: str) -> str:
    """Writes the files of a task, and returns its scene. others: content of NAME.yaml, by NAME."""
    (folder / "domain.pddl").write_text(domain)
    for name, text in others.items():
        (folder / f"{name}.yaml").write_text(text)
    path = folder / "problem.pddl"
    path.write_text(problem)
    return str(path)


def say(world: PddlWorld, text: str) -> Played:
    """Executes a command."""
    return play(world, command(text))


def look(world: PddlWorld) -> Played:
    """Returns an observation."""
    return play(world, request("observe"))


def feedback(world: PddlWorld, text: str) -> str:
    """Returns the feedback to a command."""
    return say(world, text).observation.feedback


def plan_commands(model: ActionModel, domain: str, seed: int) -> list[str]:
    """Returns the plan that comes with a generated problem, in the words of its model."""
    sentences = Sentences(model)
    return [sentences.command(name, arguments) for name, *arguments in GENERATORS[domain](seed).plan]
