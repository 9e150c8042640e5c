"""One tile, by threads and by the engine: turn tile, threads and edges, and see instructions and registers."""

from course_lib.draw.charts.tile_cost import cost_picture
from course_lib.draw.pen.svg import Picture
from course_lib.model.call.tensor_map import TiledTensorMap
from course_lib.model.cost.tile_cost import EACH_MAX, EDGES, TMA_REGISTERS, TileCost
from course_lib.model.facts.enums import DataType, Swizzle
from course_lib.model.facts.limits import INNER_UNIT_BYTES, THREAD_REGISTERS_MAX
from course_lib.widgets.skeleton.base import TENSOR_ADDRESS, Settings, with_settings
from course_lib.widgets.skeleton.controls import AGAIN, Control, start_again
from course_lib.widgets.skeleton.lab import IN_WORDS, Lab, Panel, Spec, call_panels

THREADS = (32, 64, 128, 256, 512, 1024)
ELEMENT_BYTES, MOST_ROWS = 2, 256
SWIZZLES = {32: Swizzle.B32, 64: Swizzle.B64, 128: Swizzle.B128}  # by the bytes of a row, which fill the span
FIRST: Settings = {"rows": 128, "row_bytes": 128, "threads": 256, "edges": "none", AGAIN: 0}


CONTROLS = (
    Control("rows", "range", "rows of the tile", "rows", 8, MOST_ROWS, 8, group="The tile"),
    Control("row_bytes", "select", "row of the tile", options=[(n, f"{n} bytes") for n in SWIZZLES], group="The tile"),
    Control("threads", "select", "threads", options=[(n, str(n)) for n in THREADS], group="The block"),
    Control("edges", "select", "what may lie outside", options=list(EDGES.items()), group="The block"),
    start_again("The block"),
)


def cost_of(values: Settings) -> TileCost:
    """The tile and the block."""
    return TileCost(values["rows"], values["row_bytes"], values["threads"], values["edges"])


def refusal(values: Settings) -> str:
    """Why there is no picture; empty where there is one."""
    rows, threads = values["rows"], values["threads"]
    if not 1 <= rows <= MOST_ROWS:
        return f"rows of the tile = {rows}: a box has 1 to {MOST_ROWS} in a dimension."
    if threads not in THREADS:
        return f"threads = {threads}: kernels were compiled for powers of two, {THREADS[0]} to {THREADS[-1]}."
    if cost_of(values).each > EACH_MAX:
        each = cost_of(values).each
        return f"{each} copies for each thread: kernels were compiled for up to {EACH_MAX}. Take more threads or fewer rows."
    return ""


def call_of(values: Settings) -> TiledTensorMap:
    """A matrix of 4,096 × 4,096 bfloat16 and the tile as its box."""
    return TiledTensorMap(
        data_type=DataType.BFLOAT16,
        global_address=TENSOR_ADDRESS,
        global_dim=(4096, 4096),
        global_strides=(4096 * ELEMENT_BYTES,),
        box_dim=(values["row_bytes"] // ELEMENT_BYTES, values["rows"]),
        swizzle=SWIZZLES[values["row_bytes"]],
    )


def result_words(cost: TileCost) -> str:
    """The counts, both ways."""
    saved = cost.registers - TMA_REGISTERS
    uneven = "\nThe last turn has work for some threads only; the test for that is not counted." * bool(
        cost.thread_copies % cost.threads
    )
    return (
        f"{cost.thread_copies:,} thread copies, {cost.each} for the busiest thread, {cost.copy_instructions:,} warp "
        f"instructions of cp.async; by TMA one, of one thread.\n{total(cost)} instructions a tile, by TMA "
        f"{cost.tma_instructions:,}. {cost.registers} registers a thread, by TMA {TMA_REGISTERS}: {saved} fewer, "
        f"of {THREAD_REGISTERS_MAX}.{uneven}"
    )


def total(cost: TileCost) -> str:
    """All instructions of a tile by cp.async, in words."""
    least, most = cost.instructions.start, cost.instructions.stop - 1
    return f"{least:,} to {most:,}" if least < most else f"{most:,}"


GUARDS = {
    "rows": "    int inside = y + row < height ? 16 : 0;\n",
    "any": "    int left = (width - x - unit * 8) * 2;\n"
    "    int inside = y + row >= height || left < 0 ? 0 : left > 16 ? 16 : left;\n",
}


def kernel_copies(cost: TileCost) -> str:
    """The loop of a thread in C; ``place`` is the order in shared memory."""
    units, guard = cost.row_bytes // INNER_UNIT_BYTES, GUARDS.get(cost.edges, "")
    source = "in + (y + row) * pitch + (x + unit * 8) * 2"
    asked = f"inside ? {source} : in" if guard else source
    operands = ', %2;" :: "r"(to), "l"(from), "r"(inside)' if guard else ';" :: "r"(to), "l"(from)'
    return (
        "// in: const char *, its rows pitch bytes apart, a size_t; tile: the address in shared memory, unsigned\n"
        f"for (int piece = threadIdx.x; piece < {cost.thread_copies}; piece += {cost.threads}) {{\n"
        f"    int row = piece / {units}, unit = piece % {units};\n{guard}"
        f"    const char *from = {asked};\n"
        f"    unsigned to = place(tile + row * {cost.row_bytes} + unit * 16);\n"
        f'    asm volatile("cp.async.cg.shared.global [%0], [%1], 16{operands} : "memory");\n'
        '}\nasm volatile("cp.async.wait_all;" ::: "memory");\n__syncthreads();'
    )


def kernel_tensor_copy(cost: TileCost) -> str:
    """The same by one thread."""
    return (
        "if (warp == 0 && elected()) {\n"
        f'    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], {cost.tile_bytes};"\n'
        '                 :: "r"(barrier) : "memory");\n'
        '    asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"\n'
        '                 " [%0], [%1, {%3, %4}], [%2];"\n'
        '                 :: "r"(tile), "l"(&map), "r"(barrier), "r"(x), "r"(y) : "memory");\n'
        "}\nwait(barrier, parity);"
    )


def show(values: Settings) -> tuple[str, Picture]:
    """Both bars, and what they say."""
    cost = cost_of(values)
    return result_words(cost), cost_picture(cost)


class TileCostLab(Lab):
    """``cost`` is what the controls stand for; ``tensor_map`` the call that brings the same tile."""

    spec = Spec(
        FIRST,
        CONTROLS,
        show,
        (
            Panel("By cp.async, in the kernel", lambda values: kernel_copies(cost_of(values)), open=True, copy=True),
            Panel("By TMA, in the kernel", lambda values: kernel_tensor_copy(cost_of(values)), open=True, copy=True),
            *call_panels(call_of),
            IN_WORDS,
        ),
        refusal,
        empties=True,
    )

    @property
    def cost(self) -> TileCost:
        """The tile and the block as the controls have them."""
        return cost_of(self.state)

    @property
    def tensor_map(self) -> TiledTensorMap:
        """The call for a matrix of 4,096 × 4,096 and this box."""
        return call_of(self.state)


def tile_cost_lab(**settings: object) -> TileCostLab:
    """A tile of bfloat16 that a block fetches. ``settings`` are those of the controls; KeyError for another name."""
    return TileCostLab(with_settings(FIRST, settings))
