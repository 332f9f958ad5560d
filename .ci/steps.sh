# Sourced by the scripts next to this file. They run from the top of the checkout, one step per line, stop at the first step that
# fails, and say at the end which it was, or else what was done, and how long each step took. All of this goes to standard error,
# so that standard output is what the commands print.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
script=".ci/$(basename "$0")"
step_name="start"
steps_done=()
declare -A beside_process=() beside_log=()

# Debian's tools come before those of the same name from elsewhere: another python3 lacks the modules.
PATH="/usr/bin:/bin:$PATH"

# step NAME COMMAND...
step() {
  step_name=$1
  shift
  local start=$SECONDS
  echo "== $step_name" >&2
  within=$script "$@"
  steps_done+=("$(printf '%6d s  %s' $((SECONDS - start)) "$step_name")")
}

# beside NAME COMMAND...: starts what mostly waits, while the next steps compute. Ends with `joined NAME`, which shows what it
# printed.
beside() {
  local name=$1
  shift
  beside_log[$name]=$(mktemp)
  echo "== begun beside the next steps: $name" >&2
  set -m  # a process group of its own, so that it ends as a whole where a step fails
  (trap - EXIT; within=$script "$@") >"${beside_log[$name]}" 2>&1 </dev/null &
  set +m
  beside_process[$name]=$!
}

# joined NAME: waits for it, and fails where it has failed.
joined() {
  local status=0 process=${beside_process[$1]} log=${beside_log[$1]}
  wait "$process" || status=$?
  unset "beside_process[$1]" "beside_log[$1]"
  cat "$log"
  rm -f "$log"
  return $status
}

say_how_it_ended() {
  local status=$?
  local process
  for process in "${beside_process[@]}"; do
    kill -- "-$process" 2>/dev/null || true
    wait "$process" 2>/dev/null || true
  done
  [ ${#beside_log[@]} -eq 0 ] || rm -f "${beside_log[@]}"
  if [ -z "${within:-}" ] || [ $status -ne 0 ]; then  # a script that another one calls leaves the last word to it
    [ ${#steps_done[@]} -eq 0 ] || printf '%s\n' "${steps_done[@]}" >&2
  fi
  if [ $status -ne 0 ]; then
    echo "$script: FAILED: $step_name" >&2
  elif [ -z "${within:-}" ]; then
    echo "$script: done in $SECONDS s" >&2
  fi
}
trap say_how_it_ended EXIT

# quietly COMMAND...: what it prints is shown only where it fails. It gets no input, so that it cannot wait for any.
quietly() {
  local log status=0
  log=$(mktemp)
  "$@" >"$log" 2>&1 </dev/null || status=$?
  [ $status -eq 0 ] || cat "$log" >&2
  rm -f "$log"
  return $status
}

# all_of BINARY: all of its GoogleTest tests, on each core a process at a time, each of a share of the tests: of as many as there are
# cores some end long before others; those of a single test would mostly begin and end.
all_of() {
  local shards
  shards=$((8 * $(nproc)))
  seq 0 $((shards - 1)) |
    GTEST_TOTAL_SHARDS=$shards timeout 1200 xargs -P "$(nproc)" -I '{}' env GTEST_SHARD_INDEX='{}' "$1" --gtest_brief=1
}
