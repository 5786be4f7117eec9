# Functions for .ci/run and .ci/everything, which source this file from the root of the project.
#
#   check NAME SECONDS COMMAND...   runs a command and counts it as one passed or failed check
#   suite NAME SECONDS COMMAND...   runs mocha by that command and counts its tests; a test that fails is repeated up to $retries
#                                   times, and is listed with its error then
#   start NAME SECONDS COMMAND...   as suite, but in the background: at most two at a time, the log is printed at the end
#   drain                           waits for all started suites
#   finish                          prints the sum over all suites as the last line; exits 1 when anything failed
#
# SECONDS is a time limit. COMMAND must pass its last arguments on to mocha.
set -uo pipefail
work=$(mktemp -d)
export CI=true DEBIAN_FRONTEND=noninteractive
passed=0
failed=0
slots=2
retries=0
mocha=(node node_modules/mocha/bin/mocha.js)
slow='dist/test/service/slow/**'
fast='dist/test/service/*.spec.js'
mongo=''
declare -A names=() commands=() began=() logs=()

cleanup() {
  [ "${#names[@]}" -gt 0 ] && kill "${!names[@]}" 2>/dev/null
  [ -n "$mongo" ] && kill "$mongo" && wait "$mongo"
  rm -rf "$work"
}
trap cleanup EXIT

finish() {
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

# count NAME STATUS SECONDS COUNTS: adds up the tests of a suite. A suite counts as failed, too, if it was aborted, if
# it ended with an error although no test failed, or if it has no tests.
count() {
  local name=$1 status=$2 seconds=$3 counts=$4 passes=0 failures=0 skipped=0
  [ -f "$counts" ] && read -r passes failures skipped <"$counts"
  if [ "$failures" -eq 0 ] && { [ "$status" -ne 0 ] || [ "$passes" -eq 0 ]; }; then
    echo "FAILED: $name ended with $status after $passes tests"
    failures=1
  fi
  passed=$((passed + passes))
  failed=$((failed + failures))
  echo "-- $name: $passes passed, $failures failed, $skipped skipped, $seconds s"
}

suite() {
  local name=$1 limit=$2 start=$SECONDS
  shift 2
  printf '\n== %s: %s\n' "$name" "$*"
  rm -f "$work/counts"
  MOCHA_COUNTS="$work/counts" timeout --kill-after=10 "$limit" "$@" --retries "$retries" --reporter "$PWD/.ci/reporter.cjs" </dev/null
  count "$name" $? $((SECONDS - start)) "$work/counts"
}

start() {
  local name=$1 limit=$2 pid log
  shift 2
  while [ "${#names[@]}" -ge "$slots" ]; do collect; done
  log=$(mktemp -p "$work")
  MOCHA_COUNTS="$log.counts" timeout --kill-after=10 "$limit" "$@" --retries "$retries" --reporter "$PWD/.ci/reporter.cjs" </dev/null >"$log" 2>&1 &
  pid=$!
  names[$pid]=$name commands[$pid]=$* began[$pid]=$SECONDS logs[$pid]=$log
  printf '\n.. %s has started\n' "$name"
}

# collect: waits until one of the suites in the background ends, and prints its log.
collect() {
  local pid status
  wait -n -p pid "${!names[@]}"
  status=$?
  printf '\n== %s: %s\n' "${names[$pid]}" "${commands[$pid]}"
  cat "${logs[$pid]}"
  count "${names[$pid]}" "$status" $((SECONDS - began[$pid])) "${logs[$pid]}.counts"
  unset "names[$pid]"
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
