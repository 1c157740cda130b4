"""`stma score`: recorded runs measured and compared."""
