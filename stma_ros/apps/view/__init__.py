"""`stma view`: a run as a Rerun recording, in Rerun's viewer or in the browser."""
