# memory-worker is built where its libraries are, and is missed in one line where they are not.
. "$(dirname "$0")/tally.bash"
cd "$ROOT"

make_here() { make --no-print-directory BUILD="$SCRATCH" "$@" 2>&1; }
# A pkg-config that knows ICU and nothing else.
mkdir "$SCRATCH/bin"
printf '#!/bin/sh\ncase "$*" in *icu*) exec %s "$@" ;; esac\nexit 1\n' "$(command -v pkg-config)" >"$SCRATCH/bin/pkg-config"
chmod +x "$SCRATCH/bin/pkg-config"
without() { PATH="$SCRATCH/bin:$PATH" make_here "$@"; }

line='memory-worker is not built: install libpq-dev, libcurl4-openssl-dev and nlohmann-json3-dev for it'
is "$(without worker)" "$line" 'without its libraries one line says so'
like "$(without --dry-run all)" 'src/setup/module.cpp' '… the extension is built'
is "$(without --dry-run all | grep -c 'src/worker')" 0 '… and nothing of the worker'
is "$(without --dry-run V=1 lint | grep -c 'src/worker')" 0 '… or read'
like "$(make_here --dry-run V=1 worker)" "-o $SCRATCH/memory-worker" 'with them it is linked'
is "$(make_here --dry-run V=1 worker | grep -c -e "$(pg_config --includedir-server)")" 0 "… without the server's headers"
like "$(make_here --dry-run install-worker DESTDIR=/there BINDIR=/usr/bin)" "'/there/usr/bin/memory-worker'" '… and installed'
end
