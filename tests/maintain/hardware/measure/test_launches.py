"""Every measurement goes through its launches on a pretended device: kernels compile, sizes fit, rows come out."""

import json
from functools import cache
from itertools import count

import numpy as np
import pytest

nvrtc = pytest.importorskip("cuda.bindings.nvrtc", reason="cuda-python is not installed")

from course_lib.gpu import compile
from course_lib.gpu.measure import buffers as memory
from course_lib.gpu.measure import timing
from maintain.hardware.measure import attributes
from maintain.hardware.measure.order import edit
from maintain.hardware.measure.table import MEASUREMENTS
from maintain.hardware.measure.traffic import bandwidth, hints, peers, reads, sources

ON_A_GPU = [name for name, measurement in MEASUREMENTS.items() if measurement.how != "compiler"]
SHARED_LIMIT = 227 * 1024


class PretendedDriver:
    """Answers every call with success; notes the launches."""

    def __init__(self, real):
        self.real, self.launches, self.events = real, [], count(1)

    def __getattr__(self, name):
        return getattr(self.real, name)

    def cuLaunchKernel(self, function, x, y, z, threads, *rest):  # noqa: N802
        assert 1 <= threads <= 1024
        assert x >= 1
        assert 1 <= y <= 65535
        assert rest[2] <= SHARED_LIMIT
        self.launches.append((function, x, y, threads, rest[2]))
        return (0,)

    def cuCtxSynchronize(self):  # noqa: N802
        return (0,)

    def cuEventCreate(self, flags):  # noqa: N802
        return 0, next(self.events)

    def cuEventRecord(self, event, stream):  # noqa: N802
        return (0,)

    cuEventDestroy = cuMemcpyDtoDAsync = cuMemsetD8 = lambda self, *_: (0,)  # noqa: N815

    def cuEventElapsedTime(self, begin, end):  # noqa: N802
        return 0, 0.5 + end % 7 / 100

    def cuDeviceGetAttribute(self, kind, device):  # noqa: N802
        return 0, 132

    def cuOccupancyMaxActiveBlocksPerMultiprocessor(self, *_):  # noqa: N802
        return 0, 1

    def cuDeviceGetCount(self):  # noqa: N802
        return 0, 2

    cuDeviceGet = cuDeviceCanAccessPeer = cuDevicePrimaryCtxRetain = lambda self, *_: (0, 1)  # noqa: N815
    cuCtxSetCurrent = cuCtxEnablePeerAccess = cuMemcpyDtoD = lambda self, *_: (0,)  # noqa: N815

    def cuCtxGetCurrent(self):  # noqa: N802
        return 0, "context of device 0"

    def cuMemAlloc(self, size):  # noqa: N802
        return 0, 1 << 45

    def cuMemAllocManaged(self, size, flags):  # noqa: N802
        return 0, 1 << 40


class PretendedGpu:
    """Compiles what is asked for; memory is random."""

    device, target = 0, "sm_90a"

    def __init__(self):
        self.asked, self.buffers = {}, {}

    def function(self, kernel, entry="run", macros=None):
        assert entry in compile.source(kernel)
        self.asked[kernel, tuple((macros or {}).items())] = None
        return kernel

    def buffer(self, name, size_bytes):
        return self.buffers.setdefault((name, size_bytes), (len(self.buffers) + 1) << 34)

    host_buffer = buffer

    def write(self, address, data):
        assert data.dtype == np.uint8

    def read(self, address, size_bytes):
        return random_bytes(size_bytes).copy()


@cache
def random_bytes(size_bytes):
    return np.random.default_rng(1).integers(0, 255, size_bytes, np.uint8)


@cache
def run_of(name, quick):
    """The rows of a measurement, and the device on which it ran."""
    with pytest.MonkeyPatch.context() as patch:
        gpu = pretended_gpu(patch)
        return list(MEASUREMENTS[name].load()(gpu, quick)), gpu


@pytest.fixture
def pretended(monkeypatch):
    return pretended_gpu(monkeypatch)


def pretended_gpu(monkeypatch):
    """A device that accepts all; the model says what the driver's encode call would."""
    driver = PretendedDriver(timing.driver)
    for module in (timing, memory, peers, reads, sources):
        monkeypatch.setattr(module, "driver", driver)
    for module in (bandwidth, hints, edit, memory):
        for field, value in (("driver", driver), ("encode", model_encode)):
            if hasattr(module, field):
                monkeypatch.setattr(module, field, value)
    monkeypatch.setattr(sources, "memmove", lambda *_: None)
    monkeypatch.setattr(attributes, "sm_limits", lambda: dict.fromkeys(attributes.ATTRIBUTES, 1))
    gpu = PretendedGpu()
    gpu.driver = driver
    return gpu


def model_encode(tensor_map, base=0):
    verdict = tensor_map.check()
    return (0, tensor_map.encode()) if verdict.accepted else (1, None)


@pytest.mark.parametrize("quick", [True, False])
@pytest.mark.parametrize("name", ON_A_GPU)
def test_a_measurement_gives_rows_that_tell_kernel_and_parameters(name, quick):
    rows, _ = run_of(name, quick)
    assert rows
    for row in rows:
        assert json.loads(json.dumps(row)) == json.loads(json.dumps(row))
        assert {"kernel", "kind", "refused", "attribute", "null"} & set(row)
    if name == "narrow":
        assert [row["refused"] is not None for row in rows if row["part"] == "refused"] == [True] * 4


@pytest.mark.parametrize("name", [name for name in ON_A_GPU if MEASUREMENTS[name].how == "counters"])
def test_what_the_profiler_counts_is_one_launch_a_row(name):
    rows, gpu = run_of(name, False)
    launches = [launch for launch in gpu.driver.launches if launch[0] != "measure_fill"]
    assert len(launches) == len(rows)


def test_a_peer_is_read_beside_the_device_itself_or_one_sentence_says_why_not(pretended, monkeypatch):
    rows = list(MEASUREMENTS["peers"].load()(pretended, True))
    assert [row["memory"] for row in rows] == ["device"] * 3 + ["peer"] * 3
    monkeypatch.setattr(PretendedDriver, "cuDeviceCanAccessPeer", lambda self, *_: (0, 0))
    (row,) = MEASUREMENTS["peers"].load()(pretended, True)
    assert row["said"] == peers.APART
    monkeypatch.setattr(PretendedDriver, "cuDeviceGetCount", lambda self: (0, 1))
    (row,) = MEASUREMENTS["peers"].load()(pretended, True)
    assert row["said"] == peers.ONE_GPU


@pytest.mark.slow
@pytest.mark.parametrize("name", ON_A_GPU)
def test_every_variant_of_a_measurement_compiles(name):
    _, gpu = run_of(name, False)
    for kernel, macros in gpu.asked:
        assert compile.cubin(kernel, "sm_90a", **dict(macros))[:4] == b"\x7fELF"
