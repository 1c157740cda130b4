"""A test double: a robot whose skills end as a script says, in a room drawn with numpy.

It brings up the graph with neither a simulator nor a robot, and tests the agent's reactions to failures.
"""
