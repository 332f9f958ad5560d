# shellcheck shell=bash
# Sourced by the steps beside this file: how they read inputs, and how they end.
set -euo pipefail

# say KIND MESSAGE: GitHub shows the message, of one or more lines, at the run; KIND is error, warning or notice.
say() {
  local text=${2//'%'/%25}
  text=${text//$'\r'/%0D}
  printf '::%s title=fxcut::%s\n' "$1" "${text//$'\n'/%0A}"
}

# fail MESSAGE: says it and ends the step.
fail() {
  say error "$1"
  exit 1
}

# output NAME VALUE: an output of the step, on one line.
output() { printf '%s=%s\n' "$1" "$2" >>"$GITHUB_OUTPUT"; }

# lines_of TEXT: those that are not empty, without the blanks around them.
lines_of() { sed -e 's/^[[:space:]]*//' -e 's/[[:space:]]*$//' -e '/^$/d' <<<"$1"; }

# options_of INPUT TEXT: an option a line becomes the array `options`, each option and its value a word of its own. No shell
# reads the text, so quotes would be taken for a part of the value, and a pattern with quotes matches nothing.
options_of() {
  local line
  options=()
  while read -r line; do
    [[ $line == --* ]] || fail "the input '$1': expected an option a line, such as '--config fxcut.json', found '$line'"
    [[ $line != *[\"\']* ]] || fail "the input '$1': '$line' has quotes; values need none here"
    options+=("${line%%[[:space:]]*}")
    [[ $line != *[[:space:]]* ]] || options+=("$(lines_of "${line#*[[:space:]]}")")
  done < <(lines_of "$2")
}

# fxcut MOST ARGUMENT...: runs the program and returns its exit status; one above MOST ends the step with what it told.
fxcut() {
  local most=$1 status=0 told
  shift
  told=$(new_folder)/told
  "$FXCUT_PROGRAM" "$@" 2>"$told" || status=$?
  cat "$told" >&2
  [ "$status" -le "$most" ] || fail "$(tail -n 20 "$told")"
  return "$status"
}

# Where a step leaves files for those behind it.
new_folder() { mktemp -d "$RUNNER_TEMP/fxcut-XXXXXX"; }
