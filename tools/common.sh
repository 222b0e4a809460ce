# Sourced by the other tools: where things are, who runs a server, how to say what happens.
# A server never runs as root: root hands it to `postgres`, or `nobody` where that user is missing.
# shellcheck shell=bash

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
BUILD=${BUILD:-build}
[[ $BUILD = /* ]] || BUILD=$ROOT/$BUILD
PG_CONFIG=$(command -v "${PG_CONFIG:-pg_config}" || echo "${PG_CONFIG:-pg_config}")
CACHE=${MEMORY_CACHE:-${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/memory-postgresql}
MEMORY_VERSION=$(sed -n "s/^default_version *= *'\(.*\)'/\1/p" "$ROOT/memory.control")
export ROOT BUILD PG_CONFIG MEMORY_VERSION
umask 022

say() { printf '%s: %s\n' "${0##*/}" "$*"; }
die() { printf '%s: %s\n' "${0##*/}" "$*" >&2; exit 1; }

# logged FILE COMMAND…: quiet while all is well; on failure shows the end of what was said.
logged() {
    local log=$1; shift
    mkdir -p "$(dirname "$log")"
    "$@" >"$log" 2>&1 </dev/null && return
    local status=$?
    tail -n 60 "$log" >&2
    printf '%s: failed: %s (all of it: %s)\n' "${0##*/}" "$*" "$log" >&2
    return $status
}

# A job server given by the caller is shared; otherwise every processor is used.
build() {
    local jobs=-j$(nproc)
    [[ ${MAKEFLAGS:-} = *jobserver* ]] && jobs=
    make --no-print-directory -C "$ROOT" $jobs BUILD="$BUILD" "$@"
}

server_user() {
    if [[ $EUID != 0 ]]; then id -un
    elif id postgres >/dev/null 2>&1; then echo postgres
    else echo nobody
    fi
}

as_server_user() {
    if [[ $EUID != 0 ]]; then "$@"; return; fi
    local user; user=$(server_user)
    setpriv --reuid "$user" --regid "$(id -g "$user")" --init-groups \
        env HOME="${RUN:-/}" USER="$user" LOGNAME="$user" "$@"
}

# What the server's user must reach lives in one directory: stage/ (the private installation) and
# tree/ (a copy of the tests), both root's when root runs us, and work/, the server user's own.
# It is $BUILD/run, or one in /var/tmp when that user cannot enter $BUILD (a clone in /root).
run_directory() {
    mkdir -p "$BUILD"
    RUN=$(cat "$BUILD/run-at" 2>/dev/null || true)
    if [[ -z $RUN || ! -d $RUN ]]; then
        RUN=$BUILD/run
        as_server_user test -x "$BUILD" || RUN=$(mktemp -d /var/tmp/memory-run.XXXXXX)
        mkdir -p "$RUN"
        chmod 755 "$RUN"
        echo "$RUN" >"$BUILD/run-at"
    fi
    mkdir -p "$RUN/work"
    [[ $EUID != 0 ]] || chown "$(server_user)" "$RUN/work"
    STAGE=$RUN/stage
    STAGE_BIN=$STAGE$("$PG_CONFIG" --bindir)
    PGXS_TEST=$(dirname "$("$PG_CONFIG" --pgxs)")/../test
}

pg_major() { "$PG_CONFIG" --version | sed 's/^[^0-9]*\([0-9]*\).*/\1/'; }

# pgvector's version as installed for PG_CONFIG's server, or nothing.
vector_version() {
    sed -n "s/^default_version *= *'\(.*\)'/\1/p" \
        "$("$PG_CONFIG" --sharedir)/extension/vector.control" 2>/dev/null || true
}
at_least() { [[ $(printf '%s\n' "$1" "$2" | sort -V | head -n 1) = "$1" ]]; }
vector_cache() { echo "$CACHE/pgvector-pg$(pg_major)-$(uname -m)"; }

# The files of this tree as a tar stream: committed ones and new ones, without what git ignores.
tree_archive() {
    cd "$ROOT"
    if [[ -e .git ]]; then
        git -c safe.directory="$ROOT" ls-files -z --cached --others --exclude-standard
    else
        find . -path "${BUILD/#$ROOT/.}" -prune -o -type f -print0
    fi | tar --null --files-from=- --ignore-failed-read --create 2>/dev/null
}

# --- Debian's archive, as this machine reaches it -----------------------------------------------

debian_mirror() {
    local uri
    uri=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' 2>/dev/null |
        awk '$2 !~ /security|updates|backports/ { print $1; exit }')
    [[ -n $uri ]] || die "apt's configuration names no mirror"
    echo "$uri"
}

debian_keyring() {
    local file
    for file in /usr/share/keyrings/debian-archive-keyring.{gpg,pgp}; do
        [[ ! -e $file ]] || { echo "$file"; return; }
    done
    die "the package debian-archive-keyring is missing: no signature can be checked"
}

# packaged_vector MAJOR: the distribution has a pgvector that serves.
packaged_vector() {
    local version
    version=$(apt-cache policy "postgresql-$1-pgvector" 2>/dev/null |
        sed -n 's/^ *Candidate: \([0-9.]*\).*/\1/p')
    [[ -n $version ]] && at_least 0.7 "$version"
}
