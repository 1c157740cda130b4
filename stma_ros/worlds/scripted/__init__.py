"""A robot that does what a script says, in a room drawn with numpy: a test double, for bringing up the graph with
neither a simulator nor a robot, and for tests of what a robot does wrong."""
