#!/bin/sh
# A backup of the installation of docker-compose.yml: PostgreSQL, the lake, the blobs, in this order, so that no row
# names a file that the copy lacks. The service goes on. Run in the folder of docker-compose.yml:
#   ops/backup.sh FOLDER
# Makes attune.dump, lake.tar, blobs.tar and deletions.txt in it. `.env` is for you to keep: without its SECRET_KEY
# the webhooks' secrets in the dump cannot be read.
set -eu
umask 077
folder=${1:?usage: ops/backup.sh FOLDER}
mkdir -p "$folder"
project=${COMPOSE_PROJECT_NAME:-attune}
# Upkeep removes files that the dump names, so it pauses.
schedules='lake-merge lake-retention visitor-deletions'

schedule() { # --pause or --unpause
  for id in $schedules; do
    docker compose run --rm --no-deps -T temporal-schema temporal --address temporal:7233 --namespace attune \
      schedule toggle --schedule-id "$id" "$1" --reason backup </dev/null
  done
}
volume() { # name
  docker run --rm -v "${project}_$1:/from:ro" debian:13-slim tar -C /from -cf - .
}

trap 'schedule --unpause' EXIT
schedule --pause
docker compose exec -T postgres pg_dump --username postgres --format custom attune >"$folder/attune.dump.part" </dev/null
volume lake >"$folder/lake.tar.part"
volume blobs >"$folder/blobs.tar.part"
# Who was deleted, as keyed hashes: keep the newest one apart from the backups, for the restore of an older one.
docker compose exec -T api node scripts/admin.ts list-deletions >"$folder/deletions.txt.part" </dev/null
for name in attune.dump lake.tar blobs.tar deletions.txt; do mv "$folder/$name.part" "$folder/$name"; done
docker compose exec -T api node scripts/admin.ts backup note </dev/null
