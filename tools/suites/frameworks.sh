# Sourced by the suite clients: frameworks' own suites against the adapters in tests/clients, LangGraph's for checkpointers and
# stores, the Claude Agent SDK's for session stores, Anthropic's for memory tools.
# shellcheck shell=bash

# installed_by LIST COMMAND…: the packages that a file of the framework's names, as it names them.
installed_by() {
    local list=$1; shift
    cmp -s "$CLIENTS/$FRAMEWORK/$list" "$HOME_OF_IT/installed-$list" && return
    "$@" || return
    cp "$CLIENTS/$FRAMEWORK/$list" "$HOME_OF_IT/installed-$list"
}

# The program that the Claude Agent SDK brings is large, and nothing here runs it.
python_packages() {
    rm -rf "$HOME_OF_IT/venv"
    "$PYTHON" -m venv "$HOME_OF_IT/venv" &&
        "$HOME_OF_IT/venv/bin/pip" install --quiet --no-deps --requirement "$HOME_OF_IT/requirements.txt" &&
        rm -rf "$HOME_OF_IT"/venv/lib/python*/site-packages/claude_agent_sdk/_bundled
}

# has_packages: installs them, or says why they cannot be had.
has_packages() {
    local output=$LOGS/clients-$FRAMEWORK-py-packages.log
    installed_by requirements.txt python_packages >"$output" 2>&1 ||
        { skip "$FRAMEWORK's suite in py: $(grep -iE -m 1 'error|fail|missing' "$output" || echo 'no packages')"; return 1; }
}

# tested NAME COMMAND…: runs it in the framework's folder, and counts its TAP.
tested() {
    local output=$LOGS/clients-$1.log status=0; shift
    (cd "$HOME_OF_IT" && timeout 600 "$@") >"$output" 2>&1 || status=$?
    # What is skipped is what came after a failure.
    sed -i 's/^ok \(.*\) # SKIP$/not ok \1 # skipped/' "$output"
    report "$status" "$output"
}

# The public repository's suite for checkpointers is ahead of LangGraph's package: where there is a copy, that is the one that runs.
in_py() {
    local newer=
    [[ $FRAMEWORK != langgraph ]] || ! has_copy langchain-ai/langgraph libs/checkpoint-conformance/langgraph || newer=public/libs/checkpoint-conformance
    tested "$FRAMEWORK-py" env PYTHONPATH="$newer" venv/bin/python conformance.py
}

# framework NAME: its suite, in a folder with the adapters and, as page.py, the one that docs/clients.md shows.
framework() {
    folder_of "$1"
    ! has_packages || in_py
}

folder_of() {
    FRAMEWORK=$1 HOME_OF_IT=$NODE/$1
    echo "# the suite of $1, py"
    mkdir -p "$HOME_OF_IT"
    cp "$CLIENTS/$1"/* "$CLIENTS"/public_suite.* "$HOME_OF_IT"
    program "$1" >"$HOME_OF_IT/page.py"
    directly
}

# adapter NAME PROGRAM REPOSITORY FILE…: our own test of an adapter, directly and through PgBouncer, and the framework's
# tests, files that are in its public repository only.
adapter() {
    local program=$2 mode
    folder_of "$1"
    has_packages || return 0
    for mode in direct pooled; do
        if [[ $mode = pooled ]]; then through pooled; else directly; fi
        tested "$program-py-$mode" venv/bin/python "${program}_test.py" "$mode"
    done
    directly
    ! has_copy "${@:3}" || public_py "$program" "${@:4}"
}

# has_copy REPOSITORY FILE…: these files of the newest commit, in the folder public/. Copies of public repositories are git
# directories, called OWNER+NAME, in the folder that PUBLIC_REPOSITORIES names.
has_copy() {
    local copy=${PUBLIC_REPOSITORIES:-}/${1/\//+} git
    [[ ! -d $copy/repo ]] || copy+=/repo
    if [[ -z ${PUBLIC_REPOSITORIES:-} || ! -d $copy ]]; then
        skip "some of $FRAMEWORK's tests are in the public repository $1 only, and PUBLIC_REPOSITORIES names no folder with a copy of it"
        return 1
    fi
    rm -rf "$HOME_OF_IT/public"
    mkdir "$HOME_OF_IT/public"
    git=(git -c safe.directory='*' -C "$copy")
    "${git[@]}" archive HEAD "${@:2}" | tar -x -C "$HOME_OF_IT/public" || { fail "$1 has other files"; return 1; }
    COPIED=$("${git[@]}" log -1 --format='%h of %cs')
    echo "# $1, $COPIED"
}

# A file of tests each time: libraries that lie side by side have names in common.
public_py() {
    local program=$1 file directory; shift
    for file in "$@"; do
        [[ $file = */test_*.py ]] || continue
        directory=public
        [[ $file != */tests/* ]] || directory+=/${file%%/tests/*}
        tested "$program-py-public-$(tr / - <<<"$file")" env PYTHONPATH="$HOME_OF_IT" venv/bin/python -W ignore -m pytest \
            -p swap -p public_suite -p no:terminal -p no:cacheprovider --noconftest --rootdir "$directory" \
            -o asyncio_mode=auto -o asyncio_default_fixture_loop_scope=function "public/$file"
    done
}

langgraph_store_py() {
    adapter langgraph store langchain-ai/langgraph libs/checkpoint{,-postgres,-sqlite}/tests/{__init__,test_store}.py \
        libs/checkpoint{,-postgres}/tests/embed_test_utils.py libs/checkpoint-postgres/tests/conftest.py libs/checkpoint-{postgres,sqlite}/tests/test_async_store.py
}

memory_tool_py() { adapter anthropic_sdk memory_tool anthropics/anthropic-sdk-python tests/lib/tools/memory_tools/test_filesystem.py; }
