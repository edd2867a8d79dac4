#!/usr/bin/env bash
# Installs what the project needs, and nothing twice: npm where the machine has none (Debian), the packages of
# package-lock.json, and with --tests also redis-server, kubectl, prometheus, victoria-metrics and chromium, which the tests start and stop themselves.
#
#   bash scripts/setup.sh [--tests]
set -euo pipefail
cd "$(dirname "$0")/.."

tests=no
for argument in "$@"; do
  case "$argument" in
    --tests) tests=yes ;;
    *) echo "setup.sh: unknown argument $argument (known: --tests)" >&2; exit 1 ;;
  esac
done

as_root() {
  if [ "$(id -u)" = 0 ]; then "$@"
  elif command -v sudo >/dev/null; then sudo "$@"
  else echo "setup.sh: installing $missing needs root or sudo" >&2; exit 1
  fi
}

# Installs Debian packages without letting any of them start a service.
install_debian() {
  missing="$*"
  if ! command -v apt-get >/dev/null; then
    echo "setup.sh: please install $missing: this machine has no apt-get" >&2
    exit 1
  fi
  echo "installing $missing"
  local policy=/usr/sbin/policy-rc.d placed=no status=0
  if [ ! -e "$policy" ]; then
    # Debian asks this file before a package starts its service; 101 means no.
    printf '#!/bin/sh\nexit 101\n' | as_root tee "$policy" >/dev/null
    as_root chmod 755 "$policy"
    placed=yes
  fi
  as_root apt-get update -qq >/dev/null || status=$?
  if [ "$status" = 0 ]; then
    as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null || status=$?
  fi
  if [ "$placed" = yes ]; then as_root rm -f "$policy"; fi
  if [ "$status" != 0 ]; then echo "setup.sh: installing $missing failed" >&2; exit "$status"; fi
}

if ! command -v npm >/dev/null; then install_debian nodejs npm ca-certificates; fi

# npm writes this file at the end of an install: older than the lock file means that the packages are not those of the lock.
if [ ! -e node_modules/.package-lock.json ] || [ package-lock.json -nt node_modules/.package-lock.json ]; then
  # Not npm ci: it refuses a lock file that lacks the optional packages of other systems, and npm leaves them out of the
  # lock file where a registry does not serve them. The versions are those of the lock file here too, and it stays as it is.
  npm install --no-save --no-progress
  touch node_modules/.package-lock.json
fi

if [ ! -e node_modules/.bin/node ] && ! node -e 'const [major, minor] = process.versions.node.split(".").map(Number); process.exit(major === 24 || (major === 22 && minor >= 20) ? 0 : 1)'; then
  echo "setup.sh: Node 24, or 22 from 22.20 on, is needed: this kind of machine ($(uname -sm)) gets none from npm, please install it" >&2
  exit 1
fi

if [ "$tests" = yes ] && ! command -v redis-server >/dev/null; then install_debian redis-server; fi
if [ "$tests" = yes ]; then PATH="$PWD/node_modules/.bin:$PATH" node scripts/test-tools.mjs; fi

# Tests that need them say so where they are missing: a machine whose Debian has none of them can still run the others.
if [ "$tests" = yes ]; then
  wanted=()
  if ! command -v promtool >/dev/null; then wanted+=(prometheus); fi
  if ! command -v victoria-metrics >/dev/null; then wanted+=(victoria-metrics); fi
  if ! command -v chromium >/dev/null; then wanted+=(chromium); fi
  if [ "${#wanted[@]}" -gt 0 ]; then
    (install_debian "${wanted[@]}") || echo "setup.sh: going on without ${wanted[*]}" >&2
  fi
fi
