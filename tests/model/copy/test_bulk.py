"""Linear copies of nothing: what a size that rounds down to 0 leaves unlooked at."""

import numpy as np
import pytest

from course_lib import DataType, DeviceFault, ReduceOp
from course_lib.model.copy.bulk import bulk_copy, bulk_reduce


@pytest.mark.parametrize("size", [0, 1, 11, 15])
def test_a_copy_that_rounds_down_to_nothing_looks_at_no_address(size):
    memory = np.arange(64, dtype=np.uint8)
    before = memory.copy()
    assert bulk_copy(memory, 7, memory, 2**44 + 1, size).transaction_bytes == 0
    assert bulk_reduce(ReduceOp.MIN, DataType.UINT32, memory, 3, memory, 9, size).transaction_bytes == 0
    assert (memory == before).all()


@pytest.mark.parametrize(("source", "destination", "code"), [(7, 0, 716), (0, 9, 716), (2**44, 0, 700)])
def test_a_copy_of_16_bytes_looks_at_both(source, destination, code):
    memory = np.arange(64, dtype=np.uint8)
    with pytest.raises(DeviceFault) as fault:
        bulk_copy(memory, source, memory, destination, 16)
    assert fault.value.code == code
