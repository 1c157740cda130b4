"""Occupancy, distances, frontiers and rooms from depth images: algorithms on arrays, without ROS.

An update runs through these modules in order: `voxel_grid` (integrates a depth image), `occupancy` (horizontal slices
of it), `distance` and `paths` (where the robot can go), `frontiers`, `rooms`, `approach_pose` (where to stand before an
object). `spatial_map` combines them for a floor, and `building_map` for all floors of a building.
"""
