"""A batch to test with: graphs of testdata, repeated under other names, with broken ones among them.

FXCUT_BATCH_GRAPHS: as many graphs at most, where a process takes long. What the batch does between graphs is tried all the same.
"""
import gzip
import json
import os
import pathlib
import random
import subprocess


def at_most(graphs):
    return min(graphs, int(os.environ.get("FXCUT_BATCH_GRAPHS", graphs)))


def some_of_oracle(testdata):
    """The files of graphs in testdata/oracle: all, or the first."""
    files = sorted(file for file in (testdata / "oracle").glob("*.json") if not file.name.endswith(".expected.json"))
    return files[:at_most(len(files))]


def sound_graphs(tool, testdata, directory):
    """The text of those graphs of testdata/oracle that are partitioned under the defaults."""
    files = some_of_oracle(testdata)
    run = subprocess.run([tool, "batch", *(file.name for file in files), "--output-dir", directory, "--quiet"],
                         cwd=testdata / "oracle", stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    results = [json.loads(line) for line in run.stdout.splitlines()]
    sound = sorted(result["name"] for result in results if result["status"] == "done")
    assert len(sound) > 0.7 * len(files), f"of {len(files)} graphs of testdata/oracle only {len(sound)} are partitioned"
    return [(testdata / "oracle" / f"{name}.json").read_text() for name in sound]


def broken(text, kind):
    """The bytes of a file that is not a graph, broken in a different way for each kind, and its extension."""
    graph = json.loads(text)
    if kind == 0:
        return text[:len(text) // 2].encode(), ".json"
    if kind == 1:
        return gzip.compress(text.encode(), mtime=0)[:-20], ".json.gz"
    if kind == 2:
        return b"", ".json"
    if kind == 3:
        return b"\x28\xb5\x2f\xfd of no use", ".json.zst"
    if kind == 4:
        return json.dumps(dict(graph, version=2)).encode(), ".json"
    graph["nodes"][-1]["args"] = [[{"node": "a node that is not there"}]]
    return json.dumps(graph).encode(), ".json"


def make_graphs(tool, testdata, scratch, directory, graphs=1000, of_these_broken=50, seed=9):
    """Writes the graphs, some compressed, into ten folders of `directory`; returns the names of the broken ones."""
    texts = sound_graphs(tool, testdata, scratch)
    bad = set(random.Random(seed).sample(range(graphs), of_these_broken))
    names, to_compress = [], []
    for number in range(graphs):
        text = json.dumps(dict(json.loads(texts[number % len(texts)]), name=f"graph_{number}"))
        path = directory / f"part_{number % 10}" / f"graph_{number}"
        path.parent.mkdir(parents=True, exist_ok=True)
        if number in bad:
            content, extension = broken(text, number % 6)
            path.with_name(path.name + extension).write_bytes(content)
            names.append(str(path.relative_to(directory)))
        elif number % 3 == 0:
            path.with_name(path.name + ".json.gz").write_bytes(gzip.compress(text.encode(), mtime=0))
        else:
            path.with_name(path.name + ".json").write_text(text)
            to_compress += [path.with_name(path.name + ".json")] * (number % 3 == 1)
    subprocess.run(["zstd", "--quiet", "--rm", *to_compress], check=True)
    return sorted(names)


def tree(directory):
    """The contents of a directory, except what shards leave for each other: bytes by path, None for a directory."""
    paths = [path for path in pathlib.Path(directory).rglob("*") if "shards" not in path.parts]
    return {str(path.relative_to(directory)): path.read_bytes() if path.is_file() else None for path in paths}


def difference(expected, found):
    """The first few paths at which two trees differ; empty if they do not."""
    paths = sorted(path for path in expected.keys() | found.keys() if expected.get(path, 0) != found.get(path, 0))
    return "" if not paths else f"{len(paths)} paths differ, such as {paths[:5]}"
