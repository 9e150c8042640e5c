"""The one command of this course: `python3 start.py lab` opens it, `python3 start.py --help` lists the rest.

This file needs nothing but Python, and is written so that an old Python can still read it and say that it is too old.
"""

import sys

OLDEST = (3, 11)

if sys.version_info < OLDEST:
    sys.exit(
        "Python %d.%d or newer is needed, and this is Python %d.%d: install a newer one and call it by name, "
        "for example `python3.12 start.py lab`." % (OLDEST + tuple(sys.version_info[:2]))
    )

from shell.commands import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())
