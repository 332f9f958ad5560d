"""The processes that a batch works in, as Linux shows them."""
import pathlib
import subprocess
import time


def start(command):
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def child_of(batch, beside=None):
    """The process id of its child, once it has one that is not `beside`."""
    path = pathlib.Path(f"/proc/{batch.pid}/task/{batch.pid}/children")
    while batch.poll() is None:
        for child in path.read_text().split():
            if child != beside:
                return child
        time.sleep(0.0002)
    raise AssertionError("the batch has ended: " + batch.communicate()[1])
