#!/bin/sh
# Run once by PostgreSQL when it makes its database: the role that serves, which may not change the schema or the audit log's past.
set -eu
psql --quiet --no-psqlrc --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" <<'SQL'
\set password `cat /run/secrets/server_password`
create role exploration_server login password :'password';
-- A function of the owner must find no table of the server's role in its place.
select current_database() as database \gset
revoke create, temporary on database :"database" from public;
SQL
