"""Runs a plan of `hardbop batch` on a Dask cluster.

The plan is cut into small parts (`--shard I/N`), each of which is a task of the cluster: it makes a store of its own and
hands it back as bytes. The caller merges every store into one as it comes. Workers may come, go and die: the scheduler
gives a part that was lost to another worker, and a result is in the store once, since it is kept by its key.

The command must be the same file on all machines, and the plan's files must be at the same place for all of them.
"""

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from distributed import Client, as_completed

# What `hardbop batch` ends with where it did its work, whatever the verdicts are.
WORKED = {0, 2, 5, 10, 70}


def run_part(hardbop, plan, nth, of, words):
    """Checks one part in a store of its own; the bytes of the store. Called on a worker."""
    with tempfile.TemporaryDirectory(prefix="hardbop-dask-") as folder:
        store = Path(folder) / "part.db"
        command = [hardbop, "batch", plan, "--shard", f"{nth}/{of}", "--store", str(store), "--jobs", "1", *words]
        done = subprocess.run(command, capture_output=True, text=True)
        # 3 is also the worst answer of a task: then there is a store all the same.
        if not store.exists() or done.returncode not in WORKED | {3}:
            raise RuntimeError(f"{' '.join(command)}: exit code {done.returncode}: {done.stderr.strip()}")
        # Who ends in order leaves one file, the log inside.
        if Path(f"{store}-wal").exists():
            raise RuntimeError(f"{' '.join(command)}: it did not end in order")
        return store.read_bytes()


def merge(hardbop, part, store):
    """Takes the results of a part over into the store."""
    with tempfile.NamedTemporaryFile(suffix=".db") as file:
        file.write(part)
        file.flush()
        subprocess.run([hardbop, "batch", "merge", file.name, "--store", store], check=True, stdout=subprocess.DEVNULL)


def run(client, hardbop, plan, store, parts, words=()):
    """Runs a plan on the cluster of a client and leaves every result in the store."""
    plan = str(Path(plan).resolve())
    futures = [
        client.submit(run_part, hardbop, plan, nth, parts, list(words), pure=False, retries=3)
        for nth in range(1, parts + 1)
    ]
    for done, (_, part) in enumerate(as_completed(futures, with_results=True), 1):
        merge(hardbop, part, store)
        print(f"hardbop-dask: {done} of {parts} parts", file=sys.stderr)


def main():
    parser = argparse.ArgumentParser(prog="hardbop-dask", description=__doc__.splitlines()[0])
    parser.add_argument("plan")
    parser.add_argument("--scheduler", required=True, help="address of the Dask scheduler, such as tcp://head:8786")
    parser.add_argument("--store", default="hardbop.db")
    parser.add_argument("--parts", type=int, default=64, help="pieces the plan is cut into")
    parser.add_argument("--hardbop", default="hardbop", help="the command, at the same place on all machines")
    parser.add_argument("words", nargs="*", help="further words for `hardbop batch`, behind --")
    args = parser.parse_args()
    with Client(args.scheduler) as client:
        run(client, args.hardbop, args.plan, args.store, args.parts, args.words)
    # Everything is known: this prints the whole, and its exit code is ours.
    os.execvp(args.hardbop, [args.hardbop, "batch", args.plan, "--store", args.store, *args.words])


if __name__ == "__main__":
    main()
