"""`stma view`: shows a run in Rerun's viewer or in the browser."""
