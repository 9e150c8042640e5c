"""Every recorded encode call with its verdict, made once a worker; and hypothesis drawing the same examples each time."""

from functools import cache

import pytest
from hypothesis import settings

from course_lib.recordings import encode_rows
from course_lib.rows.calls import tensor_map_of

settings.register_profile("steady", derandomize=True, deadline=None)
settings.load_profile("steady")


@cache
def judged():
    return [(row, m := tensor_map_of(row), m.check()) for row in encode_rows()]


@pytest.fixture(scope="session")
def recorded_calls():
    """(row, tensor map, verdict) of every recorded encode call."""
    return judged()


@pytest.fixture(scope="session")
def refused_calls():
    """(tensor map, verdict) of every call that the recorded driver refused."""
    return [(m, verdict) for row, m, verdict in judged() if row["result"]]
