#!/bin/sh
# Creates a private authority and a certificate for each node of the log, once. The nodes authenticate each other with them.
# Heliograph verifies the nodes with the authority's certificate, which is copied to a folder without secrets.
set -eu
cd /certificates
[ -e authority/ca.crt ] || es-gencert-cli create-ca -out ./authority
for node in log-1 log-2 log-3; do
  [ -e "$node/node.crt" ] || es-gencert-cli create-node -ca-certificate ./authority/ca.crt -ca-key ./authority/ca.key \
    -out "./$node" -ip-addresses 127.0.0.1 -dns-names "$node,localhost"
done
cp authority/ca.crt /ca/ca.crt
# The server runs as user 1000, and only this user may read its keys. The authority's key belongs to root.
chown -R 1000:1000 log-1 log-2 log-3
find . -type d -exec chmod 755 {} +
find . -name '*.crt' -exec chmod 644 {} +
find . -name '*.key' -exec chmod 600 {} +
chmod 755 /ca
chmod 644 /ca/ca.crt
