# Sourced by the suite clients: a PgBouncer of the server's user in front of the tests' server. It listens
# on 127.0.0.1 and on a unix socket in a private directory.
# shellcheck shell=bash

# The databases are one: `pooled` and `one` (which has a single server connection, so that clients meet on it) in
# transaction mode, `session` in session mode.
start_pgbouncer() {
    local home=$RUN/work/pgbouncer database="host=$PGHOST port=$PGPORT user=postgres dbname=$1"
    as_server_user rm -rf "$home"
    as_server_user mkdir -p "$home"
    BOUNCER=$(as_server_user mktemp -d /tmp/memory-XXXXXX)
    BOUNCER_PORT=$(/usr/bin/python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])')
    as_server_user tee "$home/pgbouncer.ini" >/dev/null <<INI
[databases]
pooled = $database pool_mode=transaction pool_size=2
one = $database pool_mode=transaction pool_size=1
session = $database pool_mode=session pool_size=5
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $BOUNCER_PORT
unix_socket_dir = $BOUNCER
auth_type = any
pidfile = $home/pid
logfile = $home/log
ignore_startup_parameters = extra_float_digits
INI
    # From 1.21 on it can keep prepared statements apart.
    BOUNCER_VERSION=$(pgbouncer --version | sed -n 's/^PgBouncer //p')
    ! at_least 1.21 "$BOUNCER_VERSION" ||
        echo 'max_prepared_statements = 100' | as_server_user tee -a "$home/pgbouncer.ini" >/dev/null
    as_server_user pgbouncer --daemon --quiet "$home/pgbouncer.ini"
    SERVER=$PGHOST SERVER_PORT=$PGPORT DATABASE=$1
    export SERVER SERVER_PORT DATABASE BOUNCER BOUNCER_PORT BOUNCER_VERSION
}

stop_pgbouncer() {
    local pid
    pid=$(cat "$RUN/work/pgbouncer/pid" 2>/dev/null) && kill "$pid" 2>/dev/null || true
    rm -rf "$BOUNCER"
}

# From now on a client with no other settings gets there.
directly() { export PGHOST=$SERVER PGPORT=$SERVER_PORT PGDATABASE=$DATABASE; }
through() { export PGHOST=127.0.0.1 PGPORT=$BOUNCER_PORT PGDATABASE=$1; }
