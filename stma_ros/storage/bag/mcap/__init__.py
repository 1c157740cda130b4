"""Reads MCAP files record by record, also unfinished and damaged ones."""
