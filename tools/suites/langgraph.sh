# Sourced by the suite clients: LangGraph's own suites for checkpointers, against the adapters of tests/clients/langgraph.
# shellcheck shell=bash

# The public repository's Python suite is ahead of the package: where a copy of its libs/checkpoint-conformance is put
# here, that is the one that runs.
CONFORMANCE=$NODE/checkpoint-conformance
LANGGRAPH=$NODE/langgraph

# The packages of one language, as the files name them. $1 is the file that says which, the rest the installation.
installed_by() {
    local list=$1; shift
    cmp -s "$CLIENTS/langgraph/$list" "$LANGGRAPH/installed-$list" && return
    "$@" || return
    cp "$CLIENTS/langgraph/$list" "$LANGGRAPH/installed-$list"
}

npm_packages() { (cd "$LANGGRAPH" && npm ci --ignore-scripts --no-audit --no-fund); }

python_packages() {
    rm -rf "$LANGGRAPH/venv"
    "$PYTHON" -m venv "$LANGGRAPH/venv" &&
        "$LANGGRAPH/venv/bin/pip" install --quiet --no-deps --requirement "$LANGGRAPH/requirements.txt"
}

# not_there LANGUAGE LOG: why the packages cannot be had.
not_there() { skip "LangGraph's suite in $1: $(grep -iE -m 1 'error|fail|missing' "$2" || echo 'no packages')"; }

langgraph_js() {
    local output=$LOGS/clients-langgraph-js.log status=0
    echo "# LangGraph's suite in JavaScript"
    at_least 20 "$(node --version | tr -d v)" ||
        { skip "LangGraph's suite in JavaScript: vitest needs node 20, this is $(node --version)"; return; }
    installed_by package-lock.json npm_packages >"$output" 2>&1 || { not_there JavaScript "$output"; return; }
    (cd "$LANGGRAPH" && timeout 300 node_modules/.bin/vitest run --globals --reporter=tap-flat) >"$output" 2>&1 || status=$?
    # What is skipped is what came after a failure.
    sed -i 's/^ok \(.*\) # SKIP$/not ok \1 # skipped/' "$output"
    report "$status" "$output"
}

langgraph_py() {
    local output=$LOGS/clients-langgraph-py.log status=0
    echo "# LangGraph's suite in Python"
    installed_by requirements.txt python_packages >"$output" 2>&1 || { not_there Python "$output"; return; }
    PYTHONPATH=$CONFORMANCE timeout 300 "$LANGGRAPH/venv/bin/python" "$LANGGRAPH/conformance.py" >"$output" 2>&1 || status=$?
    report "$status" "$output"
    [[ -d $CONFORMANCE ]] || skip "delta_channel_history is in LangGraph's public repository only, and no copy is in $CONFORMANCE"
}

langgraph() {
    mkdir -p "$LANGGRAPH"
    cp "$CLIENTS"/langgraph/* "$LANGGRAPH"
    directly
    "langgraph_$1"
}
