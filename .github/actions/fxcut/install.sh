#!/usr/bin/env bash
# Has the program there: FXCUT_PROGRAM; or out of FXCUT_PACKAGE, which pip installs; or built from the action's own checkout.
. "$(dirname "$0")/steps.sh"
checkout=$(realpath "$(dirname "$0")/../../..")

# The program alone: neither tests nor what Python needs.
build_program() {
  local folder
  folder=$(new_folder)
  cmake -S "$checkout" -B "$folder" -DFXCUT_TESTS=OFF
  cmake --build "$folder" --target fxcut --parallel "$(nproc)"
  program=$folder/cli/fxcut
}

# Without what the package depends on: that is PyTorch, and the program does not need it.
install_package() {
  local environment
  environment=$(new_folder)
  python3 -m venv "$environment"
  "$environment/bin/pip" install --quiet --disable-pip-version-check --no-deps "$1" || fail "pip could not install $1; the log says why"
  program=$environment/bin/fxcut
}

if [ -n "$FXCUT_PROGRAM" ]; then
  program=$(command -v "$FXCUT_PROGRAM") || fail "the input 'program': there is no program $FXCUT_PROGRAM"
  program=$(realpath "$program")
elif [ -n "$FXCUT_PACKAGE" ]; then
  install_package "$FXCUT_PACKAGE"
else
  "$checkout/.ci/install" build
  build_program
fi
"$program" --version
output program "$program"
