"""What goes wrong on the device, as exceptions. The encode call's own refusal is ``IllegalTensorMap``."""

from collections.abc import Iterable


class DeviceFault(RuntimeError):
    """The GPU traps. ``code`` is the CUresult of the launch, ``reason`` the rule that the copy broke.

    715 CUDA_ERROR_ILLEGAL_INSTRUCTION, 716 CUDA_ERROR_MISALIGNED_ADDRESS, 700 CUDA_ERROR_ILLEGAL_ADDRESS,
    719 CUDA_ERROR_LAUNCH_FAILED (a barrier out of its ranges: barriers.jsonl).
    Source: load.jsonl, store.jsonl, traps.jsonl (NVIDIA H200).
    """

    def __init__(self, code: int, reason: str):
        super().__init__(f"CUresult {code}: {reason}")
        self.code = code
        self.reason = reason

    def __reduce__(self) -> tuple[type["DeviceFault"], tuple[int, str]]:
        """What pickle keeps, so that a fault comes back whole from another process."""
        return DeviceFault, (self.code, self.reason)


class Deadlock(RuntimeError):
    """A wait that can't end. ``waits`` holds (who, what), one for each that waits: who it is and what it waits for."""

    def __init__(self, waits: Iterable[tuple[str, str]]):
        self.waits = tuple(waits)
        super().__init__("; ".join(f"{who} waits for {what}" for who, what in self.waits))

    def __reduce__(self) -> tuple[type["Deadlock"], tuple[tuple[tuple[str, str], ...]]]:
        """What pickle keeps."""
        return Deadlock, (self.waits,)


class NotMeasured(ValueError):
    """Nobody recorded here what hardware does, so the model does not say."""


ILLEGAL_ADDRESS = 700
ILLEGAL_INSTRUCTION = 715
MISALIGNED_ADDRESS = 716
LAUNCH_FAILED = 719
