"""Makes `python -m fieldpost` the same as `fieldpost`."""

import sys

from fieldpost.cli import main

sys.exit(main())
