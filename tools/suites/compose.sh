# Sourced by the suite clients: examples/compose.yaml, by the specification's schema and by what its services do, as processes of this machine
# with the file's commands and environments: the entry point of the image on this system's server, the worker, and the server of the Model
# Context Protocol out of the package as the image installs it. No container is started.
# shellcheck shell=bash

compose_examples() {
    local -x POSTGRES_PASSWORD="of the'owner" WORKER_PASSWORD=of-the-worker AGENT_PASSWORD='of the agent' MEMORY_USER=ada OPENAI_API_KEY=
    tested compose-js node compose_test.mjs "$ROOT/examples"
    ! has_copy compose-spec/compose-spec schema/compose-spec.json || tested compose-schema-js node compose_schema_test.mjs "$ROOT/examples"
    if compose_install >"$LOGS/clients-compose-install.log" 2>&1; then compose_processes; else
        skip 'examples/compose.yaml: what its image for the protocol installs cannot be had'
    fi
}

# As the Dockerfile in compose.yaml does.
compose_install() {
    COMPOSE=$JS/compose
    rm -rf "$COMPOSE"
    mkdir -p "$COMPOSE" &&
        (cd "$JS" && npm pack --ignore-scripts --silent --pack-destination "$COMPOSE") && mv "$COMPOSE"/memory-postgresql-*.tgz "$COMPOSE/memory-postgresql.tgz" &&
        echo '{}' >"$COMPOSE/package.json" &&
        (cd "$COMPOSE" && npm install --no-audit --no-fund pg ./memory-postgresql.tgz)
}

compose_processes() {
    local home=$RUN/work/compose log=$LOGS/clients-compose-server.log port pid
    port=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    as_server_user rm -rf "$home"
    as_server_user mkdir -p "$home/scripts"
    as_server_user tee "$home/scripts/compose.sql" <"$ROOT/examples/compose.sql" >/dev/null
    local environment=()
    mapfile -t environment < <(cd "$HOME_OF_IT" && node compose.mjs "$ROOT/examples" database)
    as_server_user env -u PGHOST -u PGUSER -u PGDATABASE "${environment[@]}" PGDATA="$home/data" INIT_SCRIPTS="$home/scripts" PGPORT="$port" PATH="$STAGE_BIN:$PATH" \
        "$RUN/tree/tools/container" postgres -c listen_addresses=127.0.0.1 -c unix_socket_directories="$home" -c fsync=off >"$log" 2>&1 &
    pid=$!
    if wait_for_server "$port" "$pid"; then
        tested compose-run-js env PATH="$STAGE_BIN:$PATH" node compose_run_test.mjs "$ROOT/examples" "$port" "$COMPOSE"
    else
        tail -n 20 "$log"
        fail 'the server of examples/compose.yaml does not start'
    fi
    as_server_user "$STAGE_BIN/pg_ctl" --pgdata "$home/data" --mode fast --silent --wait stop 2>/dev/null || true
    wait "$pid" 2>/dev/null || true
    as_server_user rm -rf "$home"
}

# As the image's health check does: over TCP, which is there when the cluster is whole.
wait_for_server() {
    local n
    for ((n = 0; n < 600; n++)); do
        "$STAGE_BIN/pg_isready" --quiet --host 127.0.0.1 --port "$1" && return
        kill -0 "$2" 2>/dev/null || return 1
        sleep 0.2
    done
    return 1
}
