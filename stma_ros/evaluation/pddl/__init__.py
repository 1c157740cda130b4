"""The suite of planning tasks, and the plans and histories that it measures with."""
