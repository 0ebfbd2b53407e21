"""Where work is done: in this process, in a pool of processes, on a Dask cluster. All give the same results.

An engine takes a function and its work items, each by itself and in any order, and gives each back with its
result, or with why there is none. What works here works there if items and results can be pickled.
"""

from validator.audit.engines.engine import Engine, Failed
from validator.audit.engines.here import Here
from validator.audit.engines.pool import Pool

__all__ = ["Engine", "Failed", "Here", "Pool"]
