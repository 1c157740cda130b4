"""Occupancy, distances, frontiers and rooms from depth images: algorithms on arrays, without ROS.

An update runs through these modules in order: `voxel_grid` (integrates a depth image), `occupancy` (horizontal slices
of it), `distance` and `paths` (where the robot can go), `frontiers`, `rooms`, `approach_pose` (where to stand before an
object). `spatial_map` combines them; `floors` splits a map of several storeys into maps that they run on.
"""
