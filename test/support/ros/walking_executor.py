"""An executor of the small graph in a process of its own, for what happens at a process's end."""

from __future__ import annotations

from stma_ros.ros.executor_host import ExecutorHost
from stma_ros.ros.spin import spin
from support.ros.small_graph import WALKERS

if __name__ == "__main__":
    spin(lambda: ExecutorHost(WALKERS))
