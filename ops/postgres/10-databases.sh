#!/bin/sh
# PostgreSQL's image runs this once, in an empty data folder. It creates accounts and databases for Attune and for
# Temporal, so that neither is a superuser or can read the other's data, and a read-only account for reports.
set -eu
psql --set=ON_ERROR_STOP=1 --no-psqlrc --quiet --username "$POSTGRES_USER" --dbname postgres \
  --set=attune="$ATTUNE_DB_PASSWORD" --set=reports="$ATTUNE_REPORTS_PASSWORD" --set=temporal="$TEMPORAL_DB_PASSWORD" <<'SQL'
create role attune login password :'attune';
create role attune_reports login password :'reports';
alter role attune_reports set default_transaction_read_only = on;
create role temporal login password :'temporal';
create database attune owner attune;
create database temporal owner temporal;
create database temporal_visibility owner temporal;
grant connect on database attune to attune_reports;
revoke connect on database attune, temporal, temporal_visibility from public;
\connect attune
create extension pg_stat_statements;
SQL
