"""An encode call needs a current context in its thread: it makes one where there is none, and leaves one that is there."""

from types import SimpleNamespace

import pytest

encode = pytest.importorskip("course_lib.gpu.encode", reason="cuda-python is not installed")


def fake_driver(current):
    """A driver whose thread has the context ``current``; ``made`` lists what was made current."""
    made = []
    return SimpleNamespace(
        made=made,
        cuInit=lambda flags: (0,),
        cuCtxGetCurrent=lambda: (0, current),
        cuDeviceGet=lambda number: (0, number),
        cuDevicePrimaryCtxRetain=lambda device: (0, f"primary of {device}"),
        cuCtxSetCurrent=lambda context: (made.append(context) or 0,),
    )


@pytest.mark.parametrize(("current", "made"), [(0, ["primary of 0"]), (7, [])])
def test_a_context_is_made_only_where_none_is_current(monkeypatch, current, made):
    driver = fake_driver(current)
    monkeypatch.setattr(encode, "driver", driver)
    encode.have_context()
    assert driver.made == made
