#!/usr/bin/env python3
"""Verifies partitions with 'fxcut verify': the tool's own, and PyTorch's recorded ones.

usage: verify_everything.py --tool FXCUT [--jobs N] [--only PART_OF_A_NAME] DIR...

For each GRAPH.json under the directories that has a GRAPH.expected.json beside it, and each case in the latter:
  own      'fxcut partition' decides under the case's settings; the two graphs and the report have to verify, and the
           two graphs without the report, too
  pytorch  where the case has PyTorch's two graphs, they become files (nodes without values; all else is the joint
           graph's), and have to verify without a report
Where PyTorch refuses a graph there is nothing to verify. What PyTorch itself gets wrong, and fxcut does as PyTorch, is
listed in pytorch_miscomputes.json beside this file: by graph why, and under which settings. Those must not verify.
Exit status 0 when all of this holds, 1 when it does not, 2 when there was nothing to verify. Needs nothing but Python
3.9.
"""
import argparse, concurrent.futures, json, os, pathlib, subprocess, sys, tempfile

KNOWN = json.loads((pathlib.Path(__file__).parent / "pytorch_miscomputes.json").read_text())


def why_wrong(graph, settings):
    """Why PyTorch's own answer under these settings does not compute the graph; None where it does."""
    known = KNOWN.get(graph, {"when": []})
    holds = lambda wanted: wanted.items() <= settings.items()
    is_wrong = any(map(holds, known.get("when", [{}]))) and not any(map(holds, known.get("unless", [])))
    return known["why"] if is_wrong else None


def side_file(joint, case, side):
    """PyTorch's nodes of a side as a graph file."""
    graph = {"format": "fx-graph", "version": 1, "side": side}
    shared = ("name", "producer", "static_lifetime_inputs", "symbols", "ops", "attributes")
    graph.update({key: joint[key] for key in shared if key in joint})
    if side == "forward":
        graph["num_fwd_outputs"] = joint["num_fwd_outputs"]
    graph["nodes"] = case[side]
    subgraphs = dict(joint.get("subgraphs", {}))
    for name, nodes in case.get("subgraphs", {}).items():  # those that PyTorch has made or cleaned
        subgraphs[name] = dict(subgraphs.get(name, {}), nodes=nodes)
    graph["subgraphs"] = subgraphs
    return graph


def run(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    return done.returncode, done.stdout + done.stderr


def verify_case(tool, path, joint, case, number, folder):
    """Yields (kind, label, what is wrong or None)."""
    label = f"{path.stem} #{number}"
    config, out = folder / f"config{number}.json", folder / f"out{number}"
    config.write_text(json.dumps(dict(case["config"], partitioner=case["partitioner"])))
    status, text = run([tool, "partition", path, "--config", config, "--output-dir", out])
    if status != 0:
        yield "own", label, f"no partition (exit status {status}): {text.strip()[:300]}"
    else:
        sides = [out / "forward.json", out / "backward.json"]
        yield "own", label, outcome(tool, path, [*sides, out / "report.json"])
        yield "own", label + " by names", outcome(tool, path, sides)
    if "forward" in case:
        sides = [folder / f"{side}{number}.json" for side in ("forward", "backward")]
        for side, file in zip(("forward", "backward"), sides):
            file.write_text(json.dumps(side_file(joint, case, side)))
        yield "pytorch", label, outcome(tool, path, sides)


def outcome(tool, path, files):
    status, text = run([tool, "verify", path, *files])
    return None if status == 0 else f"exit status {status}: {text.strip()}"


def verify_graph(tool, path):
    joint = json.loads(path.read_text())
    cases = json.loads(path.with_suffix(".expected.json").read_text())["cases"]
    results = []
    with tempfile.TemporaryDirectory() as folder:
        for number, case in enumerate(cases):
            if "error" in case:
                continue
            for kind, label, wrong in verify_case(tool, path, joint, case, number, pathlib.Path(folder)):
                if why := why_wrong(path.stem, dict(case["config"], partitioner=case["partitioner"])):
                    wrong = None if wrong and "exit status 1:" in wrong else f"verifies, though {why}"
                results.append((kind, label, wrong))
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", required=True)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--only", default="", help="graphs with this in their names")
    parser.add_argument("directories", nargs="+", type=pathlib.Path)
    arguments = parser.parse_args()
    paths = []
    for directory in arguments.directories:
        found = sorted(p for p in directory.rglob("*.json") if p.with_suffix(".expected.json").exists())
        if not found:
            sys.exit(f"verify_everything.py: no graph with recorded answers under {directory}")
        paths += [p for p in found if arguments.only in p.stem]
    results = []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        for found in pool.map(lambda path: verify_graph(arguments.tool, path), paths):
            results += found
    for kind in ("own", "pytorch"):
        if not any(k == kind for k, _, _ in results):
            print(f"verify_everything.py: no partition of the kind {kind} to verify", file=sys.stderr)
            sys.exit(2)
    wrong = [r for r in results if r[2]]
    for kind, label, why in wrong:
        print(f"{kind}: {label}: {why}")
    for kind in ("own", "pytorch"):
        mine = [r for r in results if r[0] == kind]
        print(f"{kind}: {sum(1 for r in mine if not r[2])} of {len(mine)} as they have to be")
    print(f"{len(results) - len(wrong)} of {len(results)} on {len(paths)} graphs")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
