"""An exact model of Hopper's Tensor Memory Accelerator (TMA) and of its 128-byte tensor map.

Importing this needs NumPy alone: no CUDA, no widgets, no notebook. The names below are the front door.
"""

from course_lib.model import bound as bound
from course_lib.model.barrier.cluster import Cluster
from course_lib.model.barrier.mbarrier import MBarrier
from course_lib.model.barrier.multicast import multicast_load
from course_lib.model.barrier.script import run as run_script
from course_lib.model.call.encoding import decode
from course_lib.model.call.tensor_map import Im2colTensorMap, Im2colWideTensorMap, TiledTensorMap
from course_lib.model.call.verdict import IllegalTensorMap
from course_lib.model.call.views import tensor_map_of_array
from course_lib.model.copy.transfer import load, prefetch, reduce, store
from course_lib.model.facts.enums import DataType, Im2colWideMode, Interleave, L2Promotion, OobFill, ReduceOp, Swizzle
from course_lib.model.facts.faults import Deadlock, DeviceFault, NotMeasured
from course_lib.model.tensor_core.wgmma import WgmmaDescriptor, wgmma_reads

__all__ = [
    "Cluster",
    "DataType",
    "Deadlock",
    "DeviceFault",
    "IllegalTensorMap",
    "Im2colTensorMap",
    "Im2colWideMode",
    "Im2colWideTensorMap",
    "Interleave",
    "L2Promotion",
    "MBarrier",
    "NotMeasured",
    "OobFill",
    "ReduceOp",
    "Swizzle",
    "TiledTensorMap",
    "WgmmaDescriptor",
    "decode",
    "load",
    "multicast_load",
    "prefetch",
    "reduce",
    "run_script",
    "store",
    "tensor_map_of_array",
    "wgmma_reads",
]
