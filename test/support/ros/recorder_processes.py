"""Starts real recorders that share the loading time of the libraries.

Arguments: one per recorder, the JSON list of its command line. Prints their process ids, one per line.
"""

from __future__ import annotations

import json
import os
import sys

from stma_ros.nodes import recorder
from stma_ros.ros.conversions import msg_class
from stma_ros.storage.definitions import definitions
from stma_ros.types.topics import TOPICS

if __name__ == "__main__":
    for spec in TOPICS.values():
        msg_class(spec.type)
        definitions().schema(spec.type.ROS_TYPE)
        definitions().type_hash(spec.type.ROS_TYPE)
    children = []
    for arguments in map(json.loads, sys.argv[1:]):
        child = os.fork()
        if child == 0:
            sys.argv[1:] = arguments
            recorder.main()
        children.append(child)
    print(*children, sep="\n", flush=True)
    for child in children:
        os.waitpid(child, 0)
