#!/bin/sh
# Temporal's own tables, created or brought to the version of this image. Safe at every start: what is there
# already is left alone. The account and the password are in SQL_USER and SQL_PASSWORD, the server in SQL_HOST.
set -eu
schema=${TEMPORAL_SCHEMA_DIR:-/etc/temporal/schema}/postgresql/v12

for database in temporal temporal_visibility; do
  part=temporal
  if [ "$database" = temporal_visibility ]; then part=visibility; fi
  temporal-sql-tool --database "$database" setup-schema --version 0.0
  temporal-sql-tool --database "$database" update-schema --schema-dir "$schema/$part/versioned"
done
