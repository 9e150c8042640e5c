"""``make fuzz N=…``: one campaign. (It stands in a module of its own: a pool's processes can't find what is in this one.)"""

import sys

from maintain.hardware.fuzz.campaign import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
