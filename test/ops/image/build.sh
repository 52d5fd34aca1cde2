#!/usr/bin/env bash
# Builds the image of the Dockerfile without Docker, on the base that base.sh makes. Run as root; needs buildah.
# DuckDB's extensions come from the Python packages, which package mirrors have.
#   test/ops/image/build.sh [image] [base image]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
image=${1:-localhost/attune:local}
base=${2:-localhost/attune-node:24}

# npm opens more files at once than buildah allows by itself.
buildah bud --isolation chroot --network host --ulimit nofile="$(ulimit -n)" --layers --tag "$image" \
  --build-arg NODE_IMAGE="$base" --build-arg DUCKDB_EXTENSIONS_FROM=pypi "$root"
