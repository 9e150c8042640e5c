"""Rows of the shipped recordings, read once, and files made of them."""

import gzip
import json
import lzma
from functools import cache

import pytest

from course_lib.recordings import committed, read_rows

PACKED = {"": bytes, ".gz": gzip.compress, ".xz": lzma.compress}


@cache
def rows_of(name):
    return tuple(read_rows(committed(name)))


@pytest.fixture
def row():
    """The first row of a shipped recording that has the keys and values asked for."""

    def first(name, **wanted):
        return dict(next(r for r in rows_of(name) if all(r.get(key) == value for key, value in wanted.items())))

    return first


@pytest.fixture
def written(tmp_path):
    """Write rows to a file, packed by its last suffix."""

    def write(*rows, name="rows.jsonl"):
        path = tmp_path / name
        text = "".join(json.dumps(r) + "\n" for r in rows).encode()
        path.write_bytes(PACKED[path.suffix if path.suffix in PACKED else ""](text))
        return path

    return write
