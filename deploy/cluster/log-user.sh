#!/bin/sh
# Creates the user of the log with which Heliograph signs in. Its only rights are those that `heliograph engines setup` gives it.
set -eu
status=$(
  printf '{"loginName":"heliograph","fullName":"Heliograph","groups":[],"password":"%s"}' "$LOG_PASSWORD" |
    curl --silent --show-error --output /dev/null --write-out '%{http_code}' --retry 10 --retry-delay 2 --retry-all-errors \
      --cacert "$LOG_CA" --user "admin:$LOG_ADMIN_PASSWORD" --header 'Content-Type: application/json' --data-binary @- \
      "$LOG_URL/users/"
)
case $status in
  201) echo 'the user heliograph was made' ;;
  409) echo 'there is a user heliograph already' ;;
  *)
    echo "the user heliograph could not be made: the server answers $status" >&2
    exit 1
    ;;
esac
