#!/usr/bin/env bash
# Compares the reports in FXCUT_REPORT_DIR with FXCUT_LIMITS and FXCUT_BASELINE_FILE: annotations go to standard output, Markdown
# goes into the job's summary, and the baseline that these reports make into a file. A failed check does not fail this step,
# so that the later steps still run: verdict.sh does.
. "$(dirname "$0")/steps.sh"

options_of limits "$FXCUT_LIMITS"
[ ${#options[@]} -gt 0 ] || fail "the input 'limits' has no check; for example '--max-saved-bytes 2%'"

folder=$(new_folder)
new_baseline=$folder/fxcut-baseline.json
fxcut 0 check "$FXCUT_REPORT_DIR" --write-baseline "$new_baseline"
output baseline "$new_baseline"

# Without a baseline the reports are compared with themselves: they have not grown, and all other checks apply.
baseline=$FXCUT_BASELINE_FILE
if [ -z "$baseline" ]; then
  baseline=$new_baseline
  note="There is no baseline yet, so growth is unknown: this run is compared with itself."
  say warning "$note"
  printf '> %s\n\n' "$note" >>"$GITHUB_STEP_SUMMARY"
fi

holds=true
fxcut 1 check "$FXCUT_REPORT_DIR" --baseline "$baseline" "${options[@]}" --source-root "$FXCUT_SOURCE_ROOT" \
  --format github --format "markdown=$folder/summary.md" || holds=false
cat "$folder/summary.md" >>"$GITHUB_STEP_SUMMARY"
output holds "$holds"
