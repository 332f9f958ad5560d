#!/usr/bin/env bash
# Says whether this run's baseline becomes the artifact FXCUT_BASELINE_ARTIFACT: on FXCUT_BASELINE_BRANCH, unless the baseline is
# kept in the repository. Other events, such as pull_request_target, bear that branch's name and run on other people's changes.
. "$(dirname "$0")/steps.sh"

keep=false
case $GITHUB_EVENT_NAME in
  push | schedule | workflow_dispatch)
    if [ -z "$FXCUT_BASELINE" ] && [ -n "$FXCUT_BASELINE_ARTIFACT" ] && [ "$GITHUB_REF" = "refs/heads/$FXCUT_BASELINE_BRANCH" ]; then
      keep=true
    fi
    ;;
esac
output keep "$keep"
