#!/usr/bin/env bash
# Makes the base image of the Dockerfile from Debian's packages and the Node of node_modules, for machines
# without Docker or without a way to an image registry. Run as root; needs buildah, podman and debootstrap
# (apt-get install buildah podman debootstrap).
#   test/ops/image/base.sh [image]
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../../.." && pwd)
image=${1:-localhost/attune-node:24}
certificates=${SSL_CERT_FILE:-/etc/ssl/certs/ca-certificates.crt}
npm=$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")
work=$(mktemp -d "${TMPDIR:-/tmp}/attune-base.XXXXXX")
trap 'rm -rf "$work"' EXIT

debootstrap --variant=minbase --include=ca-certificates trixie "$work/rootfs" >"$work/debootstrap.log" 2>&1 ||
  { tail -n 20 "$work/debootstrap.log" >&2; exit 1; }
install -D --mode=0755 "$root/node_modules/node/bin/node" "$work/rootfs/usr/local/bin/node"
mkdir -p "$work/rootfs/usr/local/lib/node_modules"
cp -R "$npm" "$work/rootfs/usr/local/lib/node_modules/npm"
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$work/rootfs/usr/local/bin/npm"
ln -s ../lib/node_modules/npm/bin/npx-cli.js "$work/rootfs/usr/local/bin/npx"
# Whatever this machine trusts, for registries that it reaches through a proxy of its own.
cp "$certificates" "$work/rootfs/usr/local/share/machine-ca.pem"
rm -rf "$work"/rootfs/var/cache/apt/archives/*.deb

tar -C "$work/rootfs" -c . | podman import - "$image-bare" >/dev/null
cat >"$work/Dockerfile" <<DOCKERFILE
FROM $image-bare
ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \\
    NODE_EXTRA_CA_CERTS=/usr/local/share/machine-ca.pem \\
    SSL_CERT_FILE=/usr/local/share/machine-ca.pem \\
    PIP_CERT=/usr/local/share/machine-ca.pem
DOCKERFILE
buildah bud --isolation chroot --tag "$image" "$work"
