"""Turns messages into drawable things in one scene builder, which exporters (Rerun, RViz markers) only show."""
