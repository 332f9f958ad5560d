# Sourced by the scripts beside this file. They run from the top of the checkout, a step a line, stop at the first step that
# fails, and say in their last line which it was, or else what was done and how long each step took. All of this goes to
# standard error, so that standard output is what the commands print.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
script=".ci/$(basename "$0")"
step_name="start"
steps_done=""

# What Debian's packages brought comes before tools of the same name from elsewhere: another python3 lacks the modules.
PATH="/usr/bin:/bin:$PATH"

# step NAME COMMAND...
step() {
  step_name=$1
  shift
  local start=$SECONDS
  echo "== $step_name" >&2
  within=$script "$@"
  steps_done+="${steps_done:+, }$step_name ($((SECONDS - start)) s)"
}

say_how_it_ended() {
  local status=$?
  if [ $status -ne 0 ]; then
    echo "$script: FAILED: $step_name" >&2
  elif [ -z "${within:-}" ]; then  # a script that another one calls leaves the last word to it
    echo "$script: done: ${steps_done:-nothing was left to do}" >&2
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
