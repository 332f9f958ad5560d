#!/usr/bin/env bash
# Finds what to compare with: FXCUT_BASELINE, a file of the repository; or else the artifact FXCUT_BASELINE_ARTIFACT of the last
# run on FXCUT_BASELINE_BRANCH that left one, whether that run failed or not: what is on the branch has been accepted. Where
# there is none the output `file` is empty.
. "$(dirname "$0")/steps.sh"

# Of a fork's runs nothing is taken: its branch may bear the same name.
run_of_newest='[.artifacts[]
  | select((.expired | not) and .workflow_run.head_branch == env.FXCUT_BASELINE_BRANCH
           and .workflow_run.head_repository_id == .workflow_run.repository_id
           and (.workflow_run.id | tostring) != env.GITHUB_RUN_ID)]
  | max_by(.created_at) | .workflow_run.id // empty'

find_run() {
  gh api --method GET "repos/$GITHUB_REPOSITORY/actions/artifacts" --raw-field "name=$FXCUT_BASELINE_ARTIFACT" \
    --raw-field per_page=100 --jq "$run_of_newest"
}

download() {
  local folder run
  command -v gh >/dev/null ||
    fail "the program gh is missing, which fetches the baseline's artifact; without it a baseline of the repository does ('baseline')"
  run=$(find_run) || fail "cannot list the artifacts of $GITHUB_REPOSITORY, as the log says; the job needs 'permissions: actions: read'"
  [ -n "$run" ] || return 0
  folder=$(new_folder)
  gh run download "$run" --repo "$GITHUB_REPOSITORY" --name "$FXCUT_BASELINE_ARTIFACT" --dir "$folder" >&2 ||
    fail "cannot fetch the artifact $FXCUT_BASELINE_ARTIFACT of the run $run"
  file=$folder/fxcut-baseline.json
  [ -f "$file" ] || fail "the artifact $FXCUT_BASELINE_ARTIFACT of the run $run holds no fxcut-baseline.json"
}

file=""
if [ -n "$FXCUT_BASELINE" ]; then
  file=$FXCUT_BASELINE
  [ -f "$file" ] || fail "the input 'baseline': there is no file $file; 'fxcut check DIR --write-baseline $file' makes it"
elif [ -n "$FXCUT_BASELINE_ARTIFACT" ]; then
  download
fi
output file "$file"
