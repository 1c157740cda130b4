"""One scene builder that turns messages into drawable things; exporters (Rerun, RViz markers) only show them."""
