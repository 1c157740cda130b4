"""The identity of an experience: what makes two of them the same."""

from __future__ import annotations

import hashlib
import json

from stma_ros.types.experience import Experience


def identify(experience: Experience) -> str:
    """Returns the id: a hash (16 hexadecimal digits) of domain, task, actions and final graph.

    When it was made, by which robot, and how it was judged do not count.
    """
    facts = sorted((fact.subject, fact.predicate, fact.object) for fact in experience.final_graph)
    actions = [[step.action.skill, *step.action.arguments] for step in experience.steps]
    text = json.dumps([experience.domain, experience.task, actions, facts])
    return hashlib.sha256(text.encode()).hexdigest()[:16]
