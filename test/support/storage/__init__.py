"""Messages of every type, and a small disk, for tests of storage."""
