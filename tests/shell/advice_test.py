#!/usr/bin/env python3
"""usage: advice_test.py FXCUT GRAPH_OR_DIRECTORY...

What the first screen advises is so: each command is run as it is printed, and what it frees and costs is compared with what was
told, in the text and on the page. Of a directory all joint graphs in it that have a partition are tried, under several options;
large ones only without, and those of oracle, which are many, small and like each other.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

# The settings and, apart, what --write-policy writes into its file with the rest.
OPTIONS = (([], []),
           (["--sound", "--set", "activation_memory_budget=0"], []),
           (["--set", "activation_memory_budget=0.5"], []),
           (["--set", "aggressive_recomputation=true"], []),
           (["--set", "partitioner=default"], []),
           (["--set", "activation_memory_budget_runtime_estimator=testing"], []),
           (["--set", "activation_memory_budget_runtime_estimator=profile"], []),
           (["--ignore-tags"], ["--jax-policy", "dots_saveable"]),
           (["--saved-bytes", "least"], []),
           (["--peak-bytes", "least"], []))
LARGEST_SHARE = 0.001  # of the step, by which the command of a row may make it longer than told; it may make it shorter
MAX_BYTES = 1_000_000  # of a graph that is tried under all of them
PREFIXES = {"": 1, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
SECONDS = {"ps": 1e-12, "ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600}
RECOMPUTE = re.compile(r"(\S+ \S*B) less for about (\S+ \S*s|\S+ min|\S+ h) (more|less): recompute (.*)")
TITLES = re.compile(r" *(PEAK|COMPILED) +HELD +TIME  ")
WAY = re.compile(r" *(\S+ \S*B)  +(\S+ \S*B)  +(\S+ \S+)  +(\S+ %)  \.\.\. (.*)$")
DATA = '<script type="application/json" id="data">'
GATHER = re.compile(r"(\S+ \S*B) less without parameters that were gathered")


class Mistakes(Exception):
    pass


def expect(condition, what):
    if not condition:
        raise Mistakes(what)


def run(tool, arguments, **more):
    return subprocess.run([tool, *arguments], capture_output=True, text=True, **more)


def size_of(text):
    figure, unit = text.lstrip("+").split()
    return float(figure) * (SECONDS[unit] if unit in SECONDS else PREFIXES[unit.removesuffix("B")])


def is_at_most(number, text, more=0):
    """Whether it is larger than the text's number, which is rounded, by no more than that."""
    return is_shown(text, number) or number - more <= size_of(text)


def is_shown(text, number):
    """Whether the text, such as 7.5 GB or +3.2 ms, is this number, of bytes or seconds, with as many digits as it has."""
    figure, unit = text.lstrip("+").split()
    size = size_of("1 " + unit)
    half_a_digit = 0.5 * 10 ** -len(figure.partition(".")[2]) * size
    return abs(float(figure) * size - number) <= half_a_digit * 1.000001


def changes(before, after):
    totals = before["totals"], after["totals"]
    return (totals[0]["saved_bytes_not_static"] - totals[1]["saved_bytes_not_static"],
            after["run_time"]["step_ms"] - before["run_time"]["step_ms"])


def faults(report):
    return {(fault["name"], fault["fault"]) for fault in report.get("unsound", [])}


def report_under(tool, arguments):
    done = run(tool, ["partition", *arguments, "--json"])
    expect(done.returncode == 0, f"partition {arguments}: exit {done.returncode}: {done.stderr}")
    return json.loads(done.stdout)


def advice_of(text):
    """The command and the rows of the table, if there is one, and what else is advised."""
    block = re.search(r"\nLESS MEMORY\n(.*?)\n\n", text, re.DOTALL)
    lines = block[1].split("\n") if block else []
    ways = []
    if lines and TITLES.match(lines[0]):
        command = lines.pop(0).split("  ")[-1].strip().removesuffix(" ...")
        expect(lines.pop(0).endswith("  as it is"), "the first row is not the decision")
        while lines and (row := WAY.match(lines[0])):
            ways.append((row[1], row[2], row[3], row[4], f"{command} {row[5]}"))
            lines.pop(0)
        expect(ways, "an empty table")
    return ways, [(effect.removesuffix(":"), command.strip()) for effect, command in zip(lines[::2], lines[1::2])]


def check_way(tool, way, on_page, before):
    """The page has what the command makes; the table a decision that is this one, or takes longer in as many bytes."""
    peak, held, more, _, command = way
    after = report_under(tool, shlex.split(command)[2:])
    memory = after["memory"]
    has_peak = memory["compiled"]["peak_bytes"] if memory.get("compiled") else memory["peak_bytes"]
    has_held = after["totals"]["saved_bytes_not_static"]
    ms = changes(before, after)[1]
    expect(is_at_most(has_held, held), f"{command}: holds {has_held}, told {held}")
    expect(is_at_most(ms / 1e3, more, LARGEST_SHARE * before["run_time"]["step_ms"] / 1e3), f"{command}: {ms} ms more, told {more}")
    if is_shown(held, has_held) and is_shown(more, ms / 1e3):
        expect(is_shown(peak, has_peak), f"{command}: a peak of {has_peak}, told {peak}")
    expect(is_shown(on_page["peak"], has_peak), f"{command}: a peak of {has_peak}, on the page {on_page['peak']}")
    expect(is_shown(on_page["held"], has_held), f"{command}: holds {has_held}, on the page {on_page['held']}")
    expect(is_shown(on_page["more_time"].partition(" (")[0], ms / 1e3), f"{command}: {ms} ms more, on the page otherwise")
    expect(faults(after) <= faults(before), f"{command}: {faults(after) - faults(before)}")


def check_recompute(tool, told, command, graph, settings, before, directory):
    policy = directory / "advised.policy"
    policy.unlink(missing_ok=True)
    arguments = [str(policy) if word == "FILE" else word for word in shlex.split(command)[1:]]
    done = run(tool, [*arguments, "--json"])
    expect(done.returncode == 0, f"{command}: exit {done.returncode}: {done.stderr}")
    row = json.loads(done.stdout)["top"][0]
    name = row["name"] + (f" x{1 + len(row['alike'])}" if row["alike"] else "")
    expect(told[4] == name or told[4].startswith(name + " ("), f"{told[0]}: the command's first row is {name}")
    after = report_under(tool, [graph, *settings, "--policy", policy])
    freed, ms = changes(before, after)
    expect(freed == row["freed_bytes"] and ms == row["forced"]["step_ms_change"],
           f"{command}: frees {freed} for {ms} ms, and tells {row}")
    sign = 1 if told[3] == "more" else -1
    expect(freed > 0 and is_shown(told[1], freed) and is_shown(told[2], sign * ms / 1e3), f"{told[0]}: frees {freed} for {ms} ms")
    expect(faults(after) <= faults(before), f"{told[0]}: {faults(after) - faults(before)}")


def check_gather(tool, told, command, before):
    after = report_under(tool, shlex.split(command)[2:])
    freed, _ = changes(before, after)
    expect(is_shown(told[1], freed), f"{told[0]}: frees {freed}")


def check(tool, graph, settings, policies, directory):
    """How many advices hold; None if there is no partition."""
    page = directory / "page.html"
    done = run(tool, ["partition", graph, *settings, *policies, "--format", "text", "--html", page, "--force"])
    if done.returncode != 0:
        return None
    ways, advice = advice_of(done.stdout)
    text = page.read_text()
    on_page, _ = json.JSONDecoder().raw_decode(text[text.index(DATA) + len(DATA):])
    commands = [one["command"] for one in on_page["decisions"][1:]]
    expect(commands == [command for *_, command in ways], "the page has other ways out")  # its figures are those of the commands
    expect([(one["effect"], one["command"]) for one in on_page["advice"]] == advice, "the page advises something else")
    before = report_under(tool, [graph, *settings, *policies])
    for way, shown in zip(ways, on_page["decisions"][1:]):
        check_way(tool, way, shown, before)
    tried = len(ways)
    for effect, command in advice:
        if told := RECOMPUTE.match(effect):
            check_recompute(tool, (effect, *told.groups()), command, graph, settings, before, directory)
            tried += 1
        elif told := GATHER.match(effect):
            check_gather(tool, (effect, *told.groups()), command, before)
            tried += 1
        else:
            expect(" less " not in effect, f"not known: {effect}")
            shown = run(tool, shlex.split(command)[1:])
            expect(shown.returncode == 0 and shown.stdout, f"{command}: exit {shown.returncode}: {shown.stderr}")
    return tried


def options_for(graph):
    return OPTIONS[:1] if graph.parent.name == "oracle" or graph.stat().st_size > MAX_BYTES else OPTIONS


def check_graph(tool, graph):
    """The number of advices that hold, and the mistakes."""
    held, mistakes = 0, []
    with tempfile.TemporaryDirectory() as directory:
        for settings, policies in options_for(pathlib.Path(graph)):
            try:
                tried = check(tool, graph, settings, policies, pathlib.Path(directory))
            except Mistakes as mistake:
                mistakes.append(f"{graph} {shlex.join([*settings, *policies])}: {mistake}")
                continue
            if tried is None and not settings:
                break  # no joint graph
            held += tried or 0
    return held, mistakes


def graphs_of(path):
    if path.is_file():
        return [path]
    return [graph for graph in sorted(path.rglob("*.json")) if not graph.name.endswith(".expected.json")]


def main():
    tool, *paths = (pathlib.Path(argument).resolve() for argument in sys.argv[1:])
    graphs = [str(graph) for path in paths for graph in graphs_of(path)]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as threads:
        results = list(threads.map(lambda graph: check_graph(tool, graph), graphs))
    mistakes = [mistake for _, found in results for mistake in found]
    print(*mistakes, sep="\n")
    held = sum(held for held, _ in results)
    print(f"{held} advices on {len(graphs)} files hold, {len(mistakes)} do not")
    sys.exit(1 if mistakes or not held else 0)


main()
