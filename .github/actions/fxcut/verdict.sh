#!/usr/bin/env bash
# Fails the job where a demand is broken (FXCUT_HOLDS), once all else is done.
. "$(dirname "$0")/steps.sh"

[ "$FXCUT_HOLDS" = true ] || { echo "a demand is broken: the annotations and the job's summary say which, and by what" >&2; exit 1; }
