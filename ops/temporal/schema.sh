#!/bin/sh
# Creates Temporal's own tables, or migrates them to the version of this image. Safe at every start, because existing
# tables of this version are left alone. SQL_USER and SQL_PASSWORD hold the account, SQL_HOST the server.
set -eu
schema=${TEMPORAL_SCHEMA_DIR:-/etc/temporal/schema}/postgresql/v12

for database in temporal temporal_visibility; do
  part=temporal
  if [ "$database" = temporal_visibility ]; then part=visibility; fi
  temporal-sql-tool --database "$database" setup-schema --version 0.0
  temporal-sql-tool --database "$database" update-schema --schema-dir "$schema/$part/versioned"
done
