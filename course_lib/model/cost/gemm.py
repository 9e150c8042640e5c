"""Operand traffic of a GEMM, C (M × N) = A (M × K) · B (K × N), by tile and cluster shape.

                      B tiles →        A cluster of 2 × 2 blocks: a tile of A serves the 2 blocks of its row, a tile of B
               ┌──────┬──────┐         the 2 of its column. Alone, each block reads tile_m + tile_n rows of K; together
        A      │ 0, 0 │ 0, 1 │         the four read 2 tile_m + 2 tile_n instead of 4 tile_m + 4 tile_n.
        tiles  ├──────┼──────┤
        ↓      │ 1, 0 │ 1, 1 │         Multicast divides what is asked of L2. DRAM traffic falls only as far as L2
               └──────┴──────┘         would have missed.

Arithmetic only (label: model).
"""

from typing import NamedTuple

from course_lib.model.call.sizes import ceil_div


class GemmTraffic(NamedTuple):
    """Bytes of A and B that all blocks together ask L2 for, and the arithmetic that they feed."""

    a_bytes: int
    b_bytes: int
    floating_point_operations: int
    compulsory_bytes: int  # A and B once: what DRAM must give at least

    @property
    def operand_bytes(self) -> int:
        """A and B together."""
        return self.a_bytes + self.b_bytes

    @property
    def operations_per_byte(self) -> float:
        """Arithmetic for each operand byte asked of L2."""
        return self.floating_point_operations / self.operand_bytes

    @property
    def reads_of_each_byte(self) -> float:
        """How often an operand byte is asked for, on average."""
        return self.operand_bytes / self.compulsory_bytes


def gemm_traffic(
    m: int, n: int, k: int, tile_m: int, tile_n: int, element_bytes: int = 2, cluster_m: int = 1, cluster_n: int = 1
) -> GemmTraffic:
    """The operand traffic of one GEMM. ``cluster_m`` blocks share a tile of B, ``cluster_n`` blocks a tile of A.

    Sizes in elements. Tiles that overhang count whole, as TMA counts them. ValueError for a number below 1.
    """
    if min(m, n, k, tile_m, tile_n, element_bytes, cluster_m, cluster_n) < 1:
        raise ValueError("every size of a GEMM, its tile and its cluster is 1 or more")
    clusters_down, clusters_across = ceil_div(m, tile_m * cluster_m), ceil_div(n, tile_n * cluster_n)
    clusters, depth_bytes = clusters_down * clusters_across, k * element_bytes
    return GemmTraffic(
        a_bytes=clusters * cluster_m * tile_m * depth_bytes,
        b_bytes=clusters * cluster_n * tile_n * depth_bytes,
        floating_point_operations=2 * m * n * k,
        compulsory_bytes=(m + n) * depth_bytes,
    )


def multicast_saving(tile_m: int, tile_n: int, cluster_m: int, cluster_n: int) -> float:
    """The part of operand traffic that a cluster of ``cluster_m`` × ``cluster_n`` blocks saves, 0 to below 1."""
    alone = cluster_m * cluster_n * (tile_m + tile_n)
    return 1 - (cluster_m * tile_m + cluster_n * tile_n) / alone
