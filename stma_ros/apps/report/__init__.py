"""The report of a run: one HTML file without links, made from the run's bag."""
