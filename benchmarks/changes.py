"""The ways to change one thing in a file: a comparison, a constant, an operator, a rounding, a check left out."""

import ast
from collections.abc import Callable, Iterator
from typing import NamedTuple

COMPARE = {
    **{ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt},
    **{
        ast.Eq: ast.NotEq,
        ast.NotEq: ast.Eq,
        ast.In: ast.NotIn,
        ast.NotIn: ast.In,
        ast.Is: ast.IsNot,
        ast.IsNot: ast.Is,
    },
}
OPERATE = {
    **{ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Mod: ast.FloorDiv},
    **{
        ast.LShift: ast.RShift,
        ast.RShift: ast.LShift,
        ast.BitAnd: ast.BitOr,
        ast.BitOr: ast.BitAnd,
        ast.BitXor: ast.BitOr,
    },
    **{ast.Pow: ast.Mult, ast.Div: ast.Mult},
}
OPPOSITES = {"min": "max", "max": "min", "all": "any", "any": "all", "minimum": "maximum", "maximum": "minimum"}
EQUIVALENT_NAMES = ("CACHED_", "H200", "HEADER")


class Site(NamedTuple):
    """One change: the line, what it says before and after, and the function that makes it in its tree."""

    line: int
    node: ast.AST
    change: Callable[[], None]


def sites(tree: ast.AST) -> Iterator[Site]:
    """Every change that can be made to a file, in an order that is always the same."""
    skipped = set(nodes_to_skip(tree))
    for node in ast.walk(tree):
        if id(node) not in skipped:
            for change in changes(node):
                yield Site(getattr(node, "lineno", 0), node, change)


def nodes_to_skip(tree: ast.AST) -> Iterator[int]:
    """What no behaviour hangs on: annotations, sizes of caches, texts."""
    for node in ast.walk(tree):
        parts = [getattr(node, name, None) for name in ("annotation", "returns")]
        if isinstance(node, ast.JoinedStr):
            parts.append(node)
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]).startswith(EQUIVALENT_NAMES):
            parts.append(node)
        for part in filter(None, parts):
            yield from (id(inner) for inner in ast.walk(part))


def changes(node: ast.AST) -> Iterator[Callable[[], None]]:
    """The changes of one node."""
    if isinstance(node, ast.Compare):
        yield from (lambda i=i: node.ops.__setitem__(i, COMPARE[type(node.ops[i])]()) for i in range(len(node.ops)))
    elif isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in OPERATE:
        yield lambda: setattr(node, "op", OPERATE[type(node.op)]())
    elif isinstance(node, ast.BoolOp):
        yield lambda: setattr(node, "op", ast.Or() if isinstance(node.op, ast.And) else ast.And())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.Not, ast.USub)):
        yield lambda: setattr(node, "operand", ast.UnaryOp(node.op, node.operand))
    elif isinstance(node, ast.Constant) and type(node.value) in (int, bool):
        yield lambda: setattr(node, "value", node.value + 1 if type(node.value) is int else not node.value)
    elif isinstance(node, ast.Name | ast.Attribute):
        yield from opposites(node)
    elif isinstance(node, (ast.If, ast.IfExp)):
        yield lambda: setattr(node, "test", ast.UnaryOp(ast.Not(), node.test))
    elif isinstance(node, ast.Tuple) and len(node.elts) > 1 and isinstance(node.ctx, ast.Load):
        yield from (
            lambda i=i: node.elts.pop(i) for i, e in enumerate(node.elts) if isinstance(e, (ast.Attribute, ast.Call))
        )
    elif isinstance(node, ast.FunctionDef):
        yield from reorder(node.body)


def opposites(node: ast.Name | ast.Attribute) -> Iterator[Callable[[], None]]:
    """min for max, all for any."""
    name = "id" if isinstance(node, ast.Name) else "attr"
    if getattr(node, name) in OPPOSITES:
        yield lambda: setattr(node, name, OPPOSITES[getattr(node, name)])


def reorder(body: list[ast.stmt]) -> Iterator[Callable[[], None]]:
    """A check left out, and two that follow each other exchanged."""
    for i, statement in enumerate(body):
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            yield lambda i=i: body.__setitem__(i, ast.Pass())
            if i + 1 < len(body) and isinstance(body[i + 1], (ast.Expr, ast.If)):
                yield lambda i=i: body.__setitem__(slice(i, i + 2), [body[i + 1], body[i]])


def describe(node: ast.AST) -> str:
    """A node on one line."""
    text = ast.unparse(ast.fix_missing_locations(node))
    if isinstance(node, ast.FunctionDef):
        return f"{node.name}: " + " ; ".join(ast.unparse(s) for s in node.body[1:])[:150]
    return " ".join(text.split())[:110]
