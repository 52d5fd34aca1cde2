#!/bin/sh
# Backs up the installation of docker-compose.yml: PostgreSQL, the lake and the blobs, in this order, so that no row
# names a file that is missing from the copy. The service keeps running. Run it in the folder of docker-compose.yml:
#   ops/backup.sh FOLDER
# It writes attune.dump, lake.tar, blobs.tar and deletions.txt to FOLDER. Back up `.env` yourself: without its
# SECRET_KEY the webhooks' secrets in the dump cannot be decrypted.
set -eu
umask 077
folder=${1:?usage: ops/backup.sh FOLDER}
mkdir -p "$folder"
# Compose may have the name of the project from .env, which this shell does not read. It quotes a name like 2024.
project=$(docker compose config | sed -n 's/^name: //p' | tr -d \"\')
[ -n "$project" ] || { echo 'docker compose config names no project' >&2; exit 1; }
# Upkeep would delete files that the dump names, so it is paused.
schedules='lake-merge lake-retention visitor-deletions'

toggle() { # schedule, --pause or --unpause
  docker compose run --rm --no-deps -T temporal-schema temporal --address temporal:7233 --namespace attune \
    schedule toggle --schedule-id "$1" "$2" --reason backup </dev/null
}
schedule() { # --pause or --unpause
  failures=0
  for id in $schedules; do
    # Twice, because Ctrl-C reaches docker as well, and docker obeys it even where this script ignores it.
    toggle "$id" "$1" || toggle "$id" "$1" || failures=$((failures + 1))
  done
  return "$failures"
}
# tar ends with 1 if anything changed while it was reading, which is so whenever the service works: files are added all
# the time. What the dump names was complete before and does not change, so only another status is a failure.
volume() { # name
  docker run --rm -v "${project}_$1:/from:ro" debian:13-slim sh -c \
    'tar -C /from -cf - --warning=no-file-changed --warning=no-file-removed . || [ $? -eq 1 ]'
}

# A second signal must not end the unpausing.
trap 'trap "" HUP INT TERM; schedule --unpause' EXIT
# Without this, a signal ends some shells without the above.
trap 'exit 1' HUP INT TERM
schedule --pause
docker compose exec -T postgres pg_dump --username postgres --format custom attune >"$folder/attune.dump.part" </dev/null
volume lake >"$folder/lake.tar.part"
volume blobs >"$folder/blobs.tar.part"
# The deleted people, as keyed hashes. Keep the newest list apart from the backups, for the restore of an older one.
docker compose exec -T api node tools/scripts/admin.ts list-deletions >"$folder/deletions.txt.part" </dev/null
for name in attune.dump lake.tar blobs.tar deletions.txt; do mv "$folder/$name.part" "$folder/$name"; done
docker compose exec -T api node tools/scripts/admin.ts backup note </dev/null
