"""Text twins → executed notebooks. `make notebooks` builds all; `python -m maintain.build_notebooks TWIN…` some."""

import sys
from pathlib import Path

from maintain.notebook import ROOT, make_notebook, run_notebook, text_of, twins


def build(twin: Path) -> str:
    """The text of the notebook that belongs to `twin`, freshly run."""
    return text_of(run_notebook(make_notebook(twin), twin.parent))


def main(arguments: list[str]) -> int:
    """Build the notebooks of the twins given, or of all."""
    for twin in [Path(argument).resolve() for argument in arguments] or twins():
        print(twin.relative_to(ROOT), flush=True)
        twin.with_suffix(".ipynb").write_text(build(twin), encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
