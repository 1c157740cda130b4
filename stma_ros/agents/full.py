"""The agent `full`: the best composition of the existing parts, and the default on a robot. At present it equals
STMA.
"""

from __future__ import annotations

from stma_ros.agents.spec import AgentSpec, Preset
from stma_ros.agents.stma import CAMERA, WIRINGS

FULL = AgentSpec(
    name="full",
    summary="the best composition of the parts that there are; the default",
    source="",
    wirings=WIRINGS,
    presets={
        "full": Preset("as it is best"),
        "no_critic": Preset("does every planned action unjudged", {"critic": {"enabled": False}}),
        "no_priors": Preset(
            "expects no thing in one place or room rather than in another",
            {"planner": {"priors": False}, "critic": {"priors": False}},
            wirings=(CAMERA,),
        ),
    },
)
