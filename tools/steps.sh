# What tools/demo, tools/test and .ci/run share: announcing steps with the time they took.
# Sourced, not run.
step_name=
step_start=0

step() {
  end_step
  step_name=$1
  step_start=$SECONDS
  printf '== %s\n' "$1" >&2
}

end_step() {
  if [ -n "$step_name" ]; then
    printf '== %s: %d s\n\n' "$step_name" $((SECONDS - step_start)) >&2
  fi
  step_name=
}

# Runs ninja quietly: one line of progress on a terminal, errors only elsewhere.
build() {
  local tree=$1
  shift
  if [ -t 1 ]; then
    ninja -C "$tree" "$@"
  else
    ninja -C "$tree" --quiet "$@"
  fi
}

# Configures a preset, with ccache if the user has it.
configure() {
  local log="build/$1-configure.log"
  mkdir -p build
  local launcher=()
  if command -v ccache >/dev/null; then
    launcher=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  if ! cmake --preset "$1" "${launcher[@]}" "${@:2}" >"$log" 2>&1; then
    cat "$log" >&2
    return 1
  fi
}
