"""A page with limits of the test's choice: python -m tests.desk.served '{"keep_seconds": 1}'."""

from __future__ import annotations

import json
import sys
from dataclasses import replace

from desk import server
from desk.guard import Address
from desk.limits import Limits


def ready(address: Address) -> None:
    print(address.url, flush=True)


if __name__ == "__main__":
    server.serve("127.0.0.1", 0, ready, replace(Limits(), **json.loads(sys.argv[1])), prepare=False)
