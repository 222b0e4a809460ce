# Sourced by the suite clients: frameworks' own suites against the adapters in tests/clients, LangGraph's for checkpointers and
# the Claude Agent SDK's for session stores.
# shellcheck shell=bash

# The public repository's Python suite is ahead of LangGraph's package: where a copy of its libs/checkpoint-conformance is
# put here, that is the one that runs.
CONFORMANCE=$NODE/checkpoint-conformance

# installed_by LIST COMMAND…: the packages that a file of the framework's names, as it names them.
installed_by() {
    local list=$1; shift
    cmp -s "$CLIENTS/$FRAMEWORK/$list" "$HOME_OF_IT/installed-$list" && return
    "$@" || return
    cp "$CLIENTS/$FRAMEWORK/$list" "$HOME_OF_IT/installed-$list"
}

npm_packages() { (cd "$HOME_OF_IT" && npm ci --ignore-scripts --no-audit --no-fund); }

# The program that the Claude Agent SDK brings is large, and nothing here runs it.
python_packages() {
    rm -rf "$HOME_OF_IT/venv"
    "$PYTHON" -m venv "$HOME_OF_IT/venv" &&
        "$HOME_OF_IT/venv/bin/pip" install --quiet --no-deps --requirement "$HOME_OF_IT/requirements.txt" &&
        rm -rf "$HOME_OF_IT"/venv/lib/python*/site-packages/claude_agent_sdk/_bundled
}

# not_there LANGUAGE LOG: why the packages cannot be had.
not_there() { skip "$FRAMEWORK's suite in $1: $(grep -iE -m 1 'error|fail|missing' "$2" || echo 'no packages')"; }

in_javascript() {
    local output=$LOGS/clients-$FRAMEWORK-js.log status=0
    at_least 20 "$(node --version | tr -d v)" ||
        { skip "$FRAMEWORK's suite in JavaScript: vitest needs node 20, this is $(node --version)"; return; }
    installed_by package-lock.json npm_packages >"$output" 2>&1 || { not_there JavaScript "$output"; return; }
    (cd "$HOME_OF_IT" && timeout 300 node_modules/.bin/vitest run --globals --reporter=tap-flat) >"$output" 2>&1 || status=$?
    # What is skipped is what came after a failure.
    sed -i 's/^ok \(.*\) # SKIP$/not ok \1 # skipped/' "$output"
    report "$status" "$output"
}

in_python() {
    local output=$LOGS/clients-$FRAMEWORK-py.log status=0
    installed_by requirements.txt python_packages >"$output" 2>&1 || { not_there Python "$output"; return; }
    PYTHONPATH=$CONFORMANCE timeout 300 "$HOME_OF_IT/venv/bin/python" "$HOME_OF_IT/conformance.py" >"$output" 2>&1 || status=$?
    report "$status" "$output"
    [[ $FRAMEWORK != langgraph || -d $CONFORMANCE ]] ||
        skip "delta_channel_history is in LangGraph's public repository only, and no copy is in $CONFORMANCE"
}

# framework NAME LANGUAGE: its suite, in a folder with the adapters and, as page.py, the one that docs/clients.md shows.
framework() {
    FRAMEWORK=$1 HOME_OF_IT=$NODE/$1
    echo "# the suite of $1, $2"
    mkdir -p "$HOME_OF_IT"
    cp "$CLIENTS/$1"/* "$HOME_OF_IT"
    program "$1" >"$HOME_OF_IT/page.py"
    directly
    case $2 in js) in_javascript ;; py) in_python ;; esac
}
