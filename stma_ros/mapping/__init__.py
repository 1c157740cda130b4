"""Occupancy, ways, frontiers and rooms from depth frames: plain algorithms on arrays, without ROS.

One update runs down this list: `voxel_grid` (integrate a frame), `occupancy` (slices of it), `distance` and
`paths` (where the robot can go), `frontiers`, `rooms`, `standing` (what to do there).
"""
