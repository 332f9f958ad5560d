#!/usr/bin/env bash
# Fails the job where a check failed (FXCUT_HOLDS), after everything else.
. "$(dirname "$0")/steps.sh"

[ "$FXCUT_HOLDS" = true ] || { echo "a check failed: the annotations and the job's summary say which, and why" >&2; exit 1; }
