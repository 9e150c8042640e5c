"""What a CUresult of a launch usually means for a TMA copy, in words. The causes are those that rows showed.

Source: faults.jsonl, traps.jsonl, bulk.jsonl, barriers.jsonl (NVIDIA H200); names from the CUDA Driver API 13.5.
"""

NAMES = {
    0: "CUDA_SUCCESS",
    1: "CUDA_ERROR_INVALID_VALUE",
    700: "CUDA_ERROR_ILLEGAL_ADDRESS",
    715: "CUDA_ERROR_ILLEGAL_INSTRUCTION",
    716: "CUDA_ERROR_MISALIGNED_ADDRESS",
    719: "CUDA_ERROR_LAUNCH_FAILED",
}
CAUSES = {
    700: ("global memory that is not there: a wrong address or stride, or a freed tensor",),
    715: (
        "an innermost coordinate that is not whole 16 bytes",
        "a store that starts below 0",
        "an im2col start outside the pixel box, or an im2col store whose pixel box leaves the tensor",
        "a reduction that the engine lacks for the type",
    ),
    716: (
        "a shared address that is no multiple of 128 (16 for a linear copy)",
        "a descriptor that is no multiple of 64",
        "a barrier that is no multiple of 8",
    ),
    719: ("a barrier whose count left its range: bytes, or arrivals, that nobody expected",),
}
HANGS = "the kernel did not end: a wait without an end, and the child process was ended"


def spell_code(code: int | str) -> str:
    """A CUresult as number and name."""
    if isinstance(code, str):
        return f"a {code}"
    return f"CUresult {code} ({NAMES[code]})" if code in NAMES else f"CUresult {code}"


def likely_causes(code: int | str, model_reason: str = "") -> str:
    """Why a launch ended so: the model's own reason where it predicts the fault, else what usually causes it."""
    if model_reason:
        return model_reason
    if isinstance(code, str):
        return HANGS
    known = CAUSES.get(code)
    return "likely " + "; or ".join(known) if known else "no recorded copy ended so"
