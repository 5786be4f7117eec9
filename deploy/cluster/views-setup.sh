#!/usr/bin/env bash
# Creates a replica set of the three servers, and the user with which Heliograph signs in. Existing ones stay unchanged.
set -euo pipefail
members=(views-1:27017 views-2:27017 views-3:27017)
root="root:$VIEWS_ROOT_PASSWORD"

# again COMMAND...: repeats the command until it succeeds, for at most a minute. A healthy server may still be about to restart.
again() {
  local left
  for ((left = 30; left > 0; left--)); do
    "$@" && return
    sleep 2
  done
  return 1
}

initiate() {
  mongosh --quiet "mongodb://$root@${members[0]}/admin?directConnection=true" --eval '
    const members = process.env.MEMBERS.split(",");
    try {
      rs.status();
    } catch (e) {
      if (e.codeName !== "NotYetInitialized") throw e;
      rs.initiate({ _id: "heliograph", members: members.map((host, _id) => ({ _id, host })) });
    }'
}

make_user() {
  mongosh --quiet "mongodb://$root@$MEMBERS/admin?replicaSet=heliograph" --eval '
    const heliograph = db.getSiblingDB("heliograph");
    const pwd = process.env.VIEWS_PASSWORD;
    const roles = [{ role: "readWrite", db: "heliograph" }];
    if (heliograph.getUser("heliograph")) heliograph.updateUser("heliograph", { pwd, roles });
    else heliograph.createUser({ user: "heliograph", pwd, roles });'
}

MEMBERS=$(IFS=,; echo "${members[*]}")
export MEMBERS
again initiate
again make_user
