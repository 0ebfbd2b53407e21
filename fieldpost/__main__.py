import sys

from fieldpost.cli import main

sys.exit(main())
