#!/bin/sh
# Makes what is missing of the secrets of compose.yaml, below the folder given; what is there stays as it is. Each service sees its own folder only.
set -eu
umask 022
cd "${1:-/secrets}"
chmod 700 .
mkdir -p postgres migrate valkey server

# 256 bits that need no escape in an address or a file of settings.
random() { head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n'; }

# Put in place whole, or not at all.
keep() {
  [ -e "$1" ] || { cat > "$1.new" && mv "$1.new" "$1"; }
}

random | keep postgres/owner_password
random | keep postgres/server_password
random | keep server/session_secret
printf '' | keep server/session_secret_previous
printf 'requirepass %s\n' "$(random)" | keep valkey/valkey.conf

echo "postgres://exploration_owner:$(cat postgres/owner_password)@postgres:5432/exploration" | keep migrate/database_url
echo "postgres://exploration_server:$(cat postgres/server_password)@postgres:5432/exploration" | keep server/database_url
echo "redis://:$(sed -n 's/^requirepass //p' valkey/valkey.conf)@valkey:6379" | keep server/valkey_url
