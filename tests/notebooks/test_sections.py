"""The table of the two chapters that the course began with: every section has its place, and each place is there."""

import re

import pytest

from course_lib import DataType, Interleave, L2Promotion, OobFill, Swizzle
from maintain.lessons import lessons
from maintain.tables import SECTIONS, is_broken, links, table_rows

WRITTEN = {path.name.split("_")[0] for path in lessons()}
ROWS = table_rows(SECTIONS.read_text(encoding="utf-8"))
NOT_YET = re.compile(r"lesson (\w+) \(not yet\)")
FRENCH = [
    "2 Le Tensor Memory Accelerator",
    "2.1 Le problème que ça résout",
    "2.2 Le principe",
    "2.3 Construire un descripteur",
    "2.3 Les contraintes du descripteur",
    "2.4 Émettre une copie dans le noyau",
    "2.5 Copies dans les deux sens",
    "2.5 Multicast vers un cluster",
    "2.5 Remplissage des bords",
    "2.5 im2col",
    "2.6 Ce que TMA change dans le raisonnement",
    "2.6 Le lien avec wgmma",
    "2.7 Le prix à payer",
    "2.8 Blackwell : ce qui s'y ajoute",
    "Résumé du chapitre",
    "Quiz 1: mbarrier or __syncthreads",
    "Quiz 2: a cluster of two",
    "Quiz 3: the fill at the edge",
]
CHINESE = [
    "前置阅读",
    "1 什么是 TMA",
    "2 H100 如何做到“完美异步”",
    "3 为什么需要描述符",
    "4 TMA 拷贝的三步流程",
    "5 cuTensorMap：描述符的内容",
    "6 创建与编码：cuTensorMapEncodeTiled",
    "7 数据类型与 FTZ",
    "7.1 Flush-to-Zero（FTZ）",
    "8.1 Tensor Rank 与 Global Address",
    "8.2 Global Dimension（globalDim）",
    "8.3 Global Strides（globalStrides）",
    "9.1 Element Strides（elementStrides）",
    "9.2 Box Dim（boxDim）",
    "10 Shared Memory、Bank 与 Bank Conflict",
    "10.1 Bank Conflict",
    "11.1 原理",
    "11.2 Bank 方程",
    "11.3 Swizzle 公式",
    "11.4 Swizzle Span 与 Atom",
    "11.5 三种模式的细节",
    "12.1 为什么需要",
    "12.2 两种模式（针对 NC/xHWCx 布局）",
    "12.3 Interleaving 与 Swizzling 的耦合",
    "12.4 关键注意点",
    "13 L2 Promotion（L2 提升）",
    "13.1 各档位与硬件含义",
    "13.2 经验法则",
    "14 OOB Fill（越界填充）",
    "15.1 核心脉络速记",
    "15.2 与本课程其他内容的衔接",
    "15.3 一句话记忆",
]
ARGUMENTS = [
    *("tensorMap", "tensorDataType", "tensorRank", "globalAddress", "globalDim", "globalStrides"),
    *("boxDim", "elementStrides", "interleave", "swizzle", "l2Promotion", "oobFill"),
]
VALUES = [f"`{member.name}`" for enum in (DataType, Interleave, Swizzle, L2Promotion, OobFill) for member in enum]


def firsts() -> list[str]:
    """The first cells of all rows, each once for a run of rows that share it."""
    cells = [row[0] for row in ROWS]
    return [cell for cell, before in zip(cells, ["", *cells], strict=False) if cell != before]


def is_placed(cell: str) -> bool:
    """Whether a last cell links a heading that is there, or names a lesson that is not written."""
    found = links(cell, SECTIONS.parent)
    if found:
        return all(link.anchor and not is_broken(link) for link in found)
    later = NOT_YET.fullmatch(cell)
    return bool(later) and later[1] not in WRITTEN


def test_every_section_parameter_and_question_has_its_rows_in_the_order_of_the_chapters():
    assert firsts() == [*FRENCH, *CHINESE, *(f"`{name}`" for name in ARGUMENTS), *VALUES]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row[0]}: {row[1]}")
def test_a_row_leads_to_a_heading_that_is_there_or_says_that_its_lesson_is_not_written(row):
    assert is_placed(row[-1])


@pytest.mark.parametrize(
    "cell",
    [
        "[x](03_the_descriptor.ipynb#No-such-heading)",
        "[x](03_the_descriptor.ipynb)",
        "lesson 03 (not yet)",
        "lesson 14",
        "",
    ],
)
def test_a_row_that_leads_nowhere_would_be_seen(cell):
    assert not is_placed(cell)


@pytest.mark.parametrize("enum", [DataType, Interleave, Swizzle, L2Promotion, OobFill])
def test_a_value_stands_with_the_drivers_number(enum):
    told = [tuple(row[:2]) for row in ROWS]
    assert [member for member in enum if (f"`{member.name}`", str(int(member))) not in told] == []
