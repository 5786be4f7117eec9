# Functions for .ci/run and .ci/everything, which source this file from the root of the project.
#
#   check NAME SECONDS COMMAND...   runs a command and counts it as one passed or failed check
#   suite NAME SECONDS COMMAND...   runs mocha by that command and counts its tests; a spec file that fails is repeated once by
#                                   itself, and is flaky where it passes then
#   start NAME SECONDS COMMAND...   as suite, but in the background: at most two at a time, the log is printed at the end
#   drain                           waits for all started suites
#   finish                          names the flaky files, and prints the sum over all suites as the last line; exits 1 when anything
#                                   failed or more than two files were flaky
#
# SECONDS is a time limit, also of each repetition. COMMAND must pass its last arguments on to mocha (see one-file.cjs).
set -uo pipefail
work=$(mktemp -d)
export CI=true DEBIAN_FRONTEND=noninteractive
passed=0
failed=0
slots=2
max_flaky=2
mocha=(node node_modules/mocha/bin/mocha.js)
slow='dist/test/slow/service/**'
fast='dist/test/service/*.spec.js'
mongo=''
flaky=()
# Of suites in the background, by their process. The commands are quoted for `eval`.
declare -A names=() commands=() limits=() began=() logs=()

cleanup() {
  [ "${#names[@]}" -gt 0 ] && kill "${!names[@]}" 2>/dev/null
  [ -n "$mongo" ] && kill "$mongo" && wait "$mongo"
  rm -rf "$work"
}
trap cleanup EXIT

finish() {
  local file
  printf '\n'
  for file in "${flaky[@]}"; do echo "FLAKY: $file"; done
  if [ "${#flaky[@]}" -gt "$max_flaky" ]; then
    echo "FAILED: ${#flaky[@]} files were flaky, more than $max_flaky"
    failed=$((failed + 1))
  fi
  printf '\n%d passed, %d failed\n' "$passed" "$failed"
  [ "$failed" -eq 0 ]
  exit
}

check() {
  local name=$1 limit=$2 start=$SECONDS status
  shift 2
  printf '\n== %s: %s\n' "$name" "$*"
  timeout --kill-after=10 "$limit" "$@" </dev/null
  status=$?
  if [ "$status" -eq 0 ]; then passed=$((passed + 1)); else failed=$((failed + 1)); fi
  echo "-- $name: $([ "$status" -eq 0 ] && echo passed || echo "FAILED with $status"), $((SECONDS - start)) s"
  return "$status"
}

# run_mocha COUNTS SECONDS COMMAND...: runs a suite, or one of its files, and writes the counts of its files.
run_mocha() {
  local counts=$1 limit=$2
  shift 2
  rm -f "$counts"
  MOCHA_COUNTS=$counts timeout --kill-after=10 "$limit" "$@" --reporter "$PWD/.ci/reporter.cjs" </dev/null
}

# sum COUNTS: sets passes, failures and skipped.
sum() {
  local p f s _
  passes=0 failures=0 skipped=0
  [ -f "$1" ] || return 0
  while read -r p f s _; do passes=$((passes + p)) failures=$((failures + f)) skipped=$((skipped + s)); done <"$1"
}

# count NAME STATUS SECONDS COUNTS LIMIT COMMAND...: repeats the files that failed, and adds up the tests of a suite. A suite counts
# as failed, too, if it was aborted, if it ended with an error although no test failed, or if it has no tests.
count() {
  local name=$1 status=$2 seconds=$3 counts=$4 passes failures skipped
  sum "$counts"
  if [ "$failures" -eq 0 ] && { [ "$status" -ne 0 ] || [ "$passes" -eq 0 ]; }; then
    echo "FAILED: $name ended with $status after $passes tests"
    failures=1
  elif [ "$failures" -gt 0 ]; then
    repeat_failed "$name" "$counts" "${@:5}"
    sum "$counts"
  fi
  passed=$((passed + passes))
  failed=$((failed + failures))
  echo "-- $name: $passes passed, $failures failed, $skipped skipped, $seconds s"
}

# repeat_failed NAME COUNTS LIMIT COMMAND...: runs each file that failed once more, by itself. Where it passes then, its counts are
# those of the repetition, and it is flaky. More files than may be flaky are not repeated: the run fails anyway.
repeat_failed() {
  local name=$1 counts=$2 limit=$3 file files status passes failures skipped again="$2.again"
  shift 3
  mapfile -t files < <(awk '$2 > 0 { sub(/^[0-9]+ [0-9]+ [0-9]+ /, ""); print }' "$counts")
  if [ "${#files[@]}" -gt "$max_flaky" ]; then
    echo "-- $name: ${#files[@]} files failed and are not repeated"
    return
  fi
  for file in "${files[@]}"; do
    # A failure outside of all files.
    [ -n "$file" ] || continue
    printf '\n== %s, once more: %s\n' "$name" "$file"
    run_mocha "$again" "$limit" node .ci/one-file.cjs "$file" "$@"
    status=$?
    sum "$again"
    if [ "$status" -ne 0 ] || [ "$failures" -gt 0 ] || [ "$passes" -eq 0 ]; then
      echo "FAILED AGAIN: $name: $file"
      continue
    fi
    flaky+=("$name: $file")
    awk -v file="$file" '{ line = $0; sub(/^[0-9]+ [0-9]+ [0-9]+ /, ""); if ($0 != file) print line }' "$counts" >"$counts.rest"
    cat "$counts.rest" "$again" >"$counts"
  done
}

suite() {
  local name=$1 limit=$2 start=$SECONDS
  shift 2
  printf '\n== %s: %s\n' "$name" "$*"
  run_mocha "$work/counts" "$limit" "$@"
  count "$name" $? $((SECONDS - start)) "$work/counts" "$limit" "$@"
}

start() {
  local name=$1 limit=$2 pid log
  shift 2
  while [ "${#names[@]}" -ge "$slots" ]; do collect; done
  log=$(mktemp -p "$work")
  # Not by run_mocha, so that a signal to this process reaches the suite.
  MOCHA_COUNTS="$log.counts" timeout --kill-after=10 "$limit" "$@" --reporter "$PWD/.ci/reporter.cjs" </dev/null >"$log" 2>&1 &
  pid=$!
  names[$pid]=$name commands[$pid]=${*@Q} limits[$pid]=$limit began[$pid]=$SECONDS logs[$pid]=$log
  printf '\n.. %s has started\n' "$name"
}

# collect: waits until one of the suites in the background ends, and prints its log.
collect() {
  local pid status command name
  wait -n -p pid "${!names[@]}"
  status=$?
  name=${names[$pid]}
  unset "names[$pid]"
  eval "command=(${commands[$pid]})"
  printf '\n== %s: %s\n' "$name" "${command[*]}"
  cat "${logs[$pid]}"
  count "$name" "$status" $((SECONDS - began[$pid])) "${logs[$pid]}.counts" "${limits[$pid]}" "${command[@]}"
}

drain() {
  while [ "${#names[@]}" -gt 0 ]; do collect; done
}

# start_mongo: starts a server with MongoDB's protocol. The suites after it find it by MONGODB_URL.
start_mongo() {
  .ci/mongo-server >"$work/mongo" </dev/null &
  mongo=$!
  while ! grep -q . "$work/mongo"; do
    kill -0 "$mongo" 2>/dev/null || { mongo=''; return 1; }
    sleep 0.1
  done
  MONGODB_URL=$(<"$work/mongo")
  export MONGODB_URL
}
