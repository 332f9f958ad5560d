"""Runs of the whole program, measured from outside: reading, deciding, writing and the process's start and end included. The
program itself reports its time by stage.

Linux counts the memory of the process that starts another, up to the start, as the other's. So a program is started from a small
process of its own, which is this file as a script: whole_run.py COMMAND... prints its seconds, its seconds of processor time and
its peak in bytes.
"""
import collections
import json
import os
import shutil
import subprocess
import sys
import time

Run = collections.namedtuple("Run", "seconds cpu_seconds peak_bytes stage_seconds")  # the last by stage


def measure(tool, graph, directory):
    """One `TOOL partition GRAPH --output-dir DIRECTORY`. What is in the directory is removed first: to replace large files, a
    file system may write the new ones to its disk at once."""
    shutil.rmtree(directory, ignore_errors=True)
    command = [tool, "partition", graph, "--output-dir", directory, "--time-stages-json"]
    starter = subprocess.run([sys.executable, __file__, *command], capture_output=True, text=True)
    if starter.returncode != 0:
        sys.exit(starter.stderr)
    seconds, cpu_seconds, peak_bytes = starter.stdout.split()
    stages = json.loads(starter.stderr)["stages"]
    return Run(float(seconds), float(cpu_seconds), int(peak_bytes), {row["stage"]: row["seconds"] for row in stages})


def start(command):
    begin = time.perf_counter()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - begin
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        sys.exit(f"{' '.join(command)}: exit status {process.returncode}")
    print(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024)


if __name__ == "__main__":
    start(sys.argv[1:])
