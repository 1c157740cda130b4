"""Memory as a library: the stable part of this package, for Python programs with and without ROS.

Its names are exported from the package root (`from stma_ros import SceneMemory`). The components are skins over it.
"""
