"""What a test of the real machine needs: a reason to skip where there is none."""

import pytest

from course_lib.gpu.device import gpu_status


@pytest.fixture(scope="session")
def status():
    return gpu_status()


@pytest.fixture
def child(status):
    """A child process on a real GPU."""
    if not status.usable:
        pytest.skip(status.sentence)
    from course_lib.gpu.child import Child

    with Child() as running:
        yield running
