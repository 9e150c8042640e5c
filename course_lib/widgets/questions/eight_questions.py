"""The eight questions that tell whether lesson 00b is worth your time, each with its answer and the section to read.

Sources: CUDA Programming Guide (warps, shared memory, occupancy: 65,536 registers and 2,048 threads an SM on compute
capability 9.0), PTX ISA (ld, cp.async.wait_all), IEEE 754. What can be computed, tests/widgets/test_diagnosis.py does.
"""

from typing import NamedTuple


class RefresherQuestion(NamedTuple):
    """One question: ``right`` is one of ``choices``; ``section`` is a heading of lesson 00b."""

    topic: str
    asked: str
    choices: tuple[str, ...]
    right: str
    because: str
    section: str


EIGHT = (
    RefresherQuestion(
        "warps",
        "blockDim is (16, 16). In which warp of the block is the thread with threadIdx.x = 3 and threadIdx.y = 2?",
        ("warp 0", "warp 1", "warp 2", "warp 3"),
        "warp 1",
        "x runs fastest, so its number is 2 × 16 + 3 = 35: lane 3 of warp 1.",
        "Warps and blocks",
    ),
    RefresherQuestion(
        "shared memory",
        "Thread 0 of a block writes a float to shared memory, and thread 40 of the block reads it. What must lie between?",
        ("nothing", "__syncwarp()", "__syncthreads()", "the end of the kernel"),
        "__syncthreads()",
        "the two are in different warps, and only a barrier of the block makes one wait for the other.",
        "Shared memory",
    ),
    RefresherQuestion(
        "strides",
        "x is a row-major float32 array of 6 rows and 40 columns. What is x[:, 4:36].strides, in bytes?",
        ("(128, 4)", "(32, 1)", "(40, 1)", "(160, 4)"),
        "(160, 4)",
        "a view moves no byte: its rows lie as far apart as those of the whole array, 40 × 4 bytes.",
        "Strides",
    ),
    RefresherQuestion(
        "hexadecimal",
        "What is the largest power of two that divides the address 0x1b40?",
        ("16", "32", "64", "128"),
        "64",
        "0x40 is 0100 0000 in binary; six zeros at the end make a multiple of 64 and of no more.",
        "Bits and hexadecimal",
    ),
    RefresherQuestion(
        "float bits",
        "The upper 16 bits of the float32 number 1.0 are 0x3f80. Which 16-bit type reads these bits as 1.0?",
        ("bfloat16", "float16", "both", "neither"),
        "bfloat16",
        "bfloat16 has the 8 exponent bits of float32; float16 has 5, and reads 1.875.",
        "Float bits",
    ),
    RefresherQuestion(
        "PTX",
        "ld.shared.v4.f32 {%f1, %f2, %f3, %f4}, [%r1+32];  How many bytes does one thread read here?",
        ("16", "32", "48", "128"),
        "16",
        "v4 is four elements of f32, 4 bytes each; 32 is only added to the address.",
        "Reading PTX and SASS",
    ),
    RefresherQuestion(
        "cp.async",
        "Each thread of a block copies 16 bytes by cp.async and executes cp.async.wait_all. What may it read then?",
        ("nothing yet", "what the block copied", "what its warp copied", "its own 16 bytes"),
        "its own 16 bytes",
        "wait_all waits for the copies of the thread itself; for those of others a barrier must follow.",
        "cp.async",
    ),
    RefresherQuestion(
        "occupancy",
        "A block has 256 threads of 128 registers each. An SM has 65,536 registers and room for 2,048 threads. "
        "Shared memory is no limit. How many such blocks run on an SM at a time?",
        ("2", "4", "8", "16"),
        "2",
        "256 × 128 registers a block leave room for two; by threads alone it would be eight.",
        "Occupancy",
    ),
)
