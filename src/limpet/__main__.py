"""`python -m limpet` is the same door as `limpet`."""

import sys

from limpet.cli import main

sys.exit(main())
