"""Names of the version before. Light to import: the command line reads it before anything else."""

from __future__ import annotations

from collections.abc import Mapping

RENAMED: Mapping[str, str] = {
    "--only body": "--only robot",
    "habitat_bridge.unrecorded": "habitat_bridge.excluded_topics",
    "habitat_lab.kept": "habitat_lab.cache_folder",
    "host.senses": "host.agent, host.wiring and host.domain",
    "host.unrecorded": "host.excluded_topics",
    "model.kept": "model.cache_size",
    "model.on_failure=wait": "model.on_failure=retry",
    "model.patience": "model.grace_period",
    "perception.source=fused": "perception.source=segmentation+model",
    "temporal_memory.reflections": "experience_memory.lessons, which the preset reflexion has",
    "recorder.senses": "recorder.agent, recorder.wiring and recorder.domain",
    "sim_bridge.unrecorded": "sim_bridge.excluded_topics",
    "stma flat": "stma scene",
    "stma parity": "stma compare-engines",
}
"""Names of the version before, and the present ones: settings with their owners, values of settings, subcommands and
values of their options. Each is refused with its new name, and leaves the table one release after it came in."""
