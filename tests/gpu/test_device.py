"""One sentence says what there is, or what lacks."""

import sys
from types import SimpleNamespace

import pytest

from course_lib.gpu import device


class Code(int):
    @property
    def name(self):
        return {100: "CUDA_ERROR_NO_DEVICE", 803: "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH"}.get(self, "CUDA_ERROR")


def fake_driver(**changed):
    """A driver that answers well, but for what is ``changed``."""
    attributes = SimpleNamespace(
        CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR=0, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR=1
    )
    answers = {
        "cuInit": lambda flags: (0,),
        "cuDeviceGet": lambda number: (0, 7),
        "cuDeviceGetName": lambda size, dev: (0, b"NVIDIA H200\0\0"),
        "cuDeviceGetAttribute": lambda kind, dev: (0, (9, 0)[kind]),
        "cuDevicePrimaryCtxRetain": lambda dev: (0, 1),
        "cuDevicePrimaryCtxRelease": lambda dev: (0,),
        "cuDriverGetVersion": lambda: (0, 13000),
    }
    return SimpleNamespace(CUdevice_attribute=attributes, **answers | changed)


def no_driver(flags):
    raise RuntimeError("libcuda.so.1 cannot be found")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"cuInit": no_driver}, "no NVIDIA driver is installed"),
        ({"cuInit": lambda flags: (Code(100),)}, "finds no device (cuInit: CUDA_ERROR_NO_DEVICE)"),
        ({"cuInit": lambda flags: (Code(803),)}, "does not start (cuInit: CUDA_ERROR_SYSTEM_DRIVER_MISMATCH)"),
        ({"cuDeviceGetAttribute": lambda kind, dev: (0, (8, 6)[kind])}, "compute capability 8.6; tensor maps need 9.0"),
        ({"cuDevicePrimaryCtxRetain": lambda dev: (Code(2), None)}, "NVIDIA H200 gives no context"),
    ],
)
def test_the_sentence_says_what_lacks(monkeypatch, changed, words):
    monkeypatch.setattr(device, "import_module", lambda name: fake_driver(**changed))
    status = device.gpu_status()
    assert not status.usable
    assert words in status.sentence


def test_the_sentence_names_device_architecture_driver_and_cuda(monkeypatch):
    monkeypatch.setattr(device, "import_module", lambda name: fake_driver())
    monkeypatch.setattr(device, "driver_version", lambda: "580.159.04")
    assert device.gpu_status() == (True, "GPU: NVIDIA H200 (sm_90), driver 580.159.04, CUDA 13.0.")


def test_without_the_package_the_sentence_says_so(monkeypatch):
    monkeypatch.setitem(sys.modules, "cuda.bindings.driver", None)
    assert device.gpu_status() == (False, "No GPU: the package cuda-python is not installed.")


def test_this_machine_has_one_sentence(status):
    assert status.sentence.endswith(".")
    assert status.sentence.startswith("GPU: " if status.usable else "No GPU: ")


def test_asking_never_touches_cuda_core(status):
    assert not [name for name in sys.modules if name.startswith("cuda.core")]
