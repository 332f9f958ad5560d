#!/usr/bin/env bash
# Partitions FXCUT_GRAPHS, a file, directory or glob a line, under FXCUT_OPTIONS.
. "$(dirname "$0")/steps.sh"

mapfile -t graphs < <(lines_of "$FXCUT_GRAPHS")
[ ${#graphs[@]} -gt 0 ] || fail "the input 'graphs' names no graph"
options_of options "$FXCUT_OPTIONS"

folder=$(new_folder)
fxcut 0 batch "${options[@]}" --jobs "$(nproc)" --output-dir "$folder/reports" -- "${graphs[@]}"
output report-dir "$folder/reports"
