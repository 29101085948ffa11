# A cluster of local workers, one of which is killed half-way: every task is once in the store, with the answers of a
# local run. Called as test_dask.py HARDBOP; skips aloud where `distributed` is not installed.

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

try:
    from distributed import Client, LocalCluster
except ImportError:
    print("skipped: distributed is not installed")
    sys.exit(0)

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import hardbop_dask

HARDBOP = os.path.abspath(sys.argv[1])
N = 60
PARTS = 20


def answers(folder, store):
    table = subprocess.run([HARDBOP, "batch", "export", "--store", store], cwd=folder, capture_output=True, text=True).stdout
    return [line.split(",")[:2] for line in table.splitlines()[1:]]


def main():
    with tempfile.TemporaryDirectory() as folder:
        plan = Path(folder) / "p"
        plan.mkdir()
        for i in range(N):
            asserted = "g" if i % 3 == 2 else "g | !g"
            (plan / f"{i:03}.bp").write_text(f"decl g;\nvoid main() begin // {i}\n  g := *;\n  assert({asserted});\nend\n")
        subprocess.run([HARDBOP, "batch", "p", "--store", "local.db"], cwd=folder, capture_output=True)
        store = str(Path(folder) / "all.db")
        with LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster, Client(cluster) as client:
            pids = list(client.run(os.getpid).values())
            killer = threading.Thread(target=lambda: (time.sleep(2), os.kill(pids[0], signal.SIGKILL)))
            killer.start()
            hardbop_dask.run(client, HARDBOP, plan, store, PARTS)
            killer.join()
        done = subprocess.run([HARDBOP, "batch", "p", "--store", store], cwd=folder, capture_output=True, text=True)
        assert f"{N} of {N} tasks have a result already" in done.stderr, done.stderr
        assert answers(folder, store) == answers(folder, "local.db")
        forgotten = subprocess.run([HARDBOP, "batch", "gc", "--keep", "0", "--store", store], capture_output=True, text=True).stdout
        assert forgotten == f"1 runs and {N} results forgotten\n", forgotten
    print(f"{N} tasks in {PARTS} parts on 2 workers, one of them killed: each once, as in a local run")


if __name__ == "__main__":
    main()
