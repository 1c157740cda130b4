#!/bin/sh
# Prints a Python that the project supports: $PYTHON where it is set, otherwise the first that fits. Fails with a remedy.
supported='import sys; sys.exit(not (3, 10) <= sys.version_info < (3, 14))'

for candidate in ${PYTHON:-python3 python3.12 python3.11 python3.13 python3.10}; do
    if "$candidate" -c "$supported" 2>/dev/null; then
        command -v "$candidate"
        exit 0
    fi
done

{
    echo "error: no Python between 3.10 and 3.13 was found (tried: ${PYTHON:-python3 python3.10 ... python3.13})"
    echo "  remedy: sudo apt-get install -y python3 python3-venv python3-dev, or name one: make PYTHON=/path/to/python3.11 ..."
} >&2
exit 1
