"""Activities for tests, in the notation of the package bddl."""

from __future__ import annotations

SNACKS = """
(define (problem storing_snacks_0)
    (:domain omnigibson)
    (:objects
        mug.n.04_1 mug.n.04_2 - mug.n.04
        tupperware.n.01_1 tupperware.n.01_2 - tupperware.n.01
        muffin.n.01_1 muffin.n.01_2 - muffin.n.01
        electric_refrigerator.n.01_1 - electric_refrigerator.n.01
        countertop.n.01_1 - countertop.n.01
        floor.n.01_1 - floor.n.01
        agent.n.01_1 - agent.n.01
    )
    (:init
        (ontop mug.n.04_1 countertop.n.01_1)
        (ontop mug.n.04_2 floor.n.01_1)
        (ontop tupperware.n.01_1 countertop.n.01_1)
        (ontop tupperware.n.01_2 floor.n.01_1)
        (ontop muffin.n.01_1 countertop.n.01_1)
        (inside muffin.n.01_2 electric_refrigerator.n.01_1)
        (inroom countertop.n.01_1 kitchen)
        (inroom electric_refrigerator.n.01_1 kitchen)
        (inroom floor.n.01_1 kitchen)
        (ontop agent.n.01_1 floor.n.01_1)
    )
    (:goal
        (and
            (forpairs
                (?tupperware.n.01 - tupperware.n.01)
                (?muffin.n.01 - muffin.n.01)
                (inside ?muffin.n.01 ?tupperware.n.01)
            )
            (exists (?tupperware.n.01 - tupperware.n.01) (inside ?tupperware.n.01 ?electric_refrigerator.n.01_1))
            (forall (?mug.n.04 - mug.n.04) (ontop ?mug.n.04 ?countertop.n.01_1))
            (not (open ?electric_refrigerator.n.01_1))
        )
    )
)
"""
"""An activity in a kitchen, with a goal of all kinds of parts."""


def problem_text(goal: str, initial: str = "") -> str:
    """Returns an activity about three mugs and two plates, with a goal."""
    return f"""
    (define (problem small_0)
        (:objects a.n.01_1 a.n.01_2 a.n.01_3 - a.n.01  b.n.01_1 b.n.01_2 - b.n.01)
        (:init (ontop a.n.01_1 b.n.01_1) {initial})
        (:goal {goal}))
    """
