"""MCAP files, record by record, also those that were never finished."""
