#!/bin/sh
# Restores a backup of ops/backup.sh and replaces the present data. The release must be that of the backup or newer.
# Run it in the folder of docker-compose.yml, with the .env from the time of the backup:
#   ops/restore.sh FOLDER [DELETIONS]
# DELETIONS is the newest available deletions.txt, when it is newer than the backup: people who were deleted since the
# backup are deleted again, by this list and by the ledger among the present blobs.
set -eu
folder=${1:?usage: ops/restore.sh FOLDER [DELETIONS]}
deletions=${2:-$folder/deletions.txt}
# Compose may have the name of the project from .env, which this shell does not read. It quotes a name like 2024.
project=$(docker compose config | sed -n 's/^name: //p' | tr -d \"\')
[ -n "$project" ] || { echo 'docker compose config names no project' >&2; exit 1; }
services='api relay worker-workflow worker-media worker-ai worker-data worker-webhook selection worker-ingest worker-analytics'
for name in attune.dump lake.tar blobs.tar; do
  [ -r "$folder/$name" ] || { echo "there is no $folder/$name" >&2; exit 1; }
done
[ -r "$deletions" ] || { echo "there is no $deletions" >&2; exit 1; }

fill() { # name, shell words that make room in /to, option of tar
  docker run --rm -i -v "${project}_$1:/to" debian:13-slim sh -c "$2; tar -C /to -xf - $3 && chown -R 10001:10001 /to" \
    <"$folder/$1.tar"
}

# shellcheck disable=SC2086 # the services are words
docker compose stop $services
docker compose up -d --wait postgres
docker compose exec -T postgres psql --username postgres --dbname postgres --set ON_ERROR_STOP=1 --quiet \
  --command 'drop database if exists attune with (force)' --command 'create database attune owner attune' \
  --command 'revoke connect on database attune from public' \
  --command 'grant connect on database attune to attune_reports' </dev/null
docker compose exec -T postgres pg_restore --username postgres --dbname attune --exit-on-error <"$folder/attune.dump"
fill lake 'find /to -mindepth 1 -delete' ''
# Only the ledger of deletions stays of the present blobs: no row of the dump names blobs that were stored later, so the
# relay would never remove them.
fill blobs 'find /to -mindepth 1 -maxdepth 1 ! -name deletions -exec rm -rf {} +' --skip-old-files
docker compose run --rm -T migrate </dev/null
docker compose run --rm --no-deps -T api node tools/scripts/admin.ts replay-deletions --ledger - <"$deletions"
docker compose up -d --wait
