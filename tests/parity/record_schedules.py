#!/usr/bin/env python3
"""Records what PyTorch 2.15 makes and says of its pipeline schedules: testdata/schedules.json, which schedules_test.cpp compares.

usage: record_schedules.py OUTPUT [--all]

Needs PyTorch 2.15, whose analyze_pipeline_activation_liveness it asks. --all: each of 2 to 16 ranks and 4 to 64 microbatches, not
a choice of them. Texts are recorded as their FNV-1a hashes of 64 bits:
  actions     by rank a line: the computing actions with commas between
  lifetimes   by rank, stage and microbatch a line: STAGE MICROBATCH FIRST LAST SLOT, positions among the computing actions
  begins      by rank a line: the time at which each action begins, in add_schedule_op_spacing's units. That function confuses the
              ranks once one before another has finished: where it does, nothing is recorded
"""
import argparse, contextlib, io, json

import torch
from torch.distributed.pipelining import _schedule_visualizer as visualizer
from torch.distributed.pipelining import schedules

STAGES = {"GPipe": [1], "1F1B": [1], "LoopedBFS": [2, 3], "Interleaved1F1B": [2, 3], "InterleavedZeroBubble": [2, 3],
          "ZBVZeroBubble": [2], "DualPipeV": [2]}
SOME = ([2, 3, 4, 5, 8, 16], [4, 5, 8, 12, 31, 32, 64])
ALL = (range(2, 17), range(4, 65))


def fnv(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 % 2**64
    return f"{value:016x}"


def orders(name, ranks, stages, microbatches):
    """By rank the computing actions, and the same lowered with communication, by a runtime that can be analysed."""
    mock = visualizer.mock.create_autospec(visualizer.PipelineStage, instance=True)
    mock.group_rank, mock.group_size, mock.submod, mock.num_stages = 0, ranks, None, ranks * stages
    schedule_class = schedules.get_schedule_class(name)
    is_single = issubclass(schedule_class, schedules.PipelineScheduleSingle)
    schedule = schedule_class(mock if is_single else [mock] * stages, microbatches)
    order = {rank: [a for a in actions if a is not None and a.is_compute_op] for rank, actions in schedule.pipeline_order.items()}
    if name == "1F1B":  # whose picture counts the last rank's forwards from 1; _step_microbatches runs them from 0
        order[ranks - 1] = [a._replace(microbatch_index=a.microbatch_index - 1) if a.computation_type == schedules.F else a
                            for a in order[ranks - 1]]
    if is_single:
        schedule = schedules._PipelineScheduleRuntime([mock] * max(stages, 1), microbatches)
        schedule._prepare_schedule_with_comms(order)
    return order, schedule


def lifetimes(schedule, rank, stages, granularity):
    """The slots, and the lines."""
    found = schedules.analyze_pipeline_activation_liveness(schedule, pp_rank=rank, stage_indices=stages, granularity=granularity)
    place, count = {}, 0
    for position, action in enumerate(schedule.pipeline_order_with_comms[rank]):
        place[position] = count
        count += action.is_compute_op
    lines = ""
    for (stage, microbatch), slot in sorted(found.slot_by_stage_and_microbatch.items()):
        first, last = found.get_activation_lifetime(stage, microbatch)
        lines += f"{stage} {microbatch} {place[first]} {place[last]} {slot}\n"
    return found.num_slots, lines


def begins(order):
    """By rank the times; none where PyTorch confuses ranks."""
    with contextlib.redirect_stdout(io.StringIO()):
        spaced = visualizer.add_schedule_op_spacing(list(order.values()))
    if any([a for a in row if a is not None] != order[rank] for rank, row in enumerate(spaced)):
        return None
    times = []
    for row in spaced:
        times.append([])
        at = 0
        for action in row:
            if action is None:
                at += 1
                continue
            times[-1].append(at)
            at += visualizer.action_type_to_color_mapping[action.computation_type].width
    return times


def record(name, ranks, stages, microbatches):
    order, schedule = orders(name, ranks, stages, microbatches)
    row = {"name": name, "ranks": ranks, "stages_per_rank": stages, "microbatches": microbatches,
           "actions": fnv("".join(",".join(map(str, order[rank])) + "\n" for rank in range(ranks)))}
    stages_of = [sorted({s.stage_index for a in order[rank] for s in a.sub_actions or (a,)}) for rank in range(ranks)]
    for granularity in ("stage_microbatch", "microbatch"):
        found = [lifetimes(schedule, rank, stages_of[rank], granularity) for rank in range(ranks)]
        row[granularity] = {"slots": [slots for slots, _ in found], "lifetimes": fnv("".join(lines for _, lines in found))}
    times = begins(order)
    if times is not None:
        row["begins"] = fnv("".join(",".join(map(str, row)) + "\n" for row in times))
    return row


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("output")
    parser.add_argument("--all", action="store_true")
    given = parser.parse_args()
    ranks_of, microbatches_of = ALL if given.all else SOME
    rows, refused = [], 0
    for name, per_rank in STAGES.items():
        for stages in per_rank:
            for ranks in ranks_of:
                for microbatches in microbatches_of:
                    try:
                        rows.append(record(name, ranks, stages, microbatches))
                    except ValueError as error:  # of the constructor: a size that the schedule does not take
                        refused += 1
                        rows.append({"name": name, "ranks": ranks, "stages_per_rank": stages, "microbatches": microbatches,
                                     "refused": str(error).split(":")[0][:60]})
    lines = ",\n".join(json.dumps(row, separators=(",", ":")) for row in rows)
    with open(given.output, "w") as file:
        file.write(f'{{"torch":"{torch.__version__.split("+")[0]}","schedules":[\n{lines}\n]}}\n')
    print(f"{len(rows)} schedules, {refused} of them refused")


main()
