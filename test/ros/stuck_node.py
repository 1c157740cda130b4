"""A node whose component never returns from its first message; run as a process by the tests."""

from __future__ import annotations

import sys
import threading
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parent), str(Path(__file__).parents[2])]

from small_graph import ALONE, Thinker  # noqa: E402

from stma_ros.ros.host import ComponentHost  # noqa: E402
from stma_ros.ros.spin import spin  # noqa: E402


def main() -> None:
    Thinker.proceed = threading.Event()  # which nobody sets
    spin(lambda: ComponentHost("thinker", ALONE))


if __name__ == "__main__":
    main()
