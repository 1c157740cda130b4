"""A node that does not end when it should; run as a process by the tests, with one of these as its first argument:

component: it never returns from its first message
middleware: it cannot be taken apart, which holds the interpreter's lock
"""

from __future__ import annotations

import ctypes
import sys
import threading
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

from small_graph import ALONE, Thinker  # noqa: E402

from stma_ros.ros.host import ComponentHost  # noqa: E402
from stma_ros.ros.spin import spin  # noqa: E402


class Indestructible(ComponentHost):
    def destroy_node(self) -> None:
        ctypes.PyDLL(None).sleep(60)


def main() -> None:
    Thinker.proceed = threading.Event()  # which nobody sets
    kind = {"component": ComponentHost, "middleware": Indestructible}[sys.argv[1]]
    spin(lambda: kind("thinker", ALONE))


if __name__ == "__main__":
    main()
