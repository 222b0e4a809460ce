# Sourced by the suite clients: frameworks' own suites against the adapters of the packages in clients, LangGraph's for checkpointers and
# stores, the Claude Agent SDK's for session stores, Anthropic's for memory tools. Each suite is a row of docs/frameworks.md.
# shellcheck shell=bash
. "$ROOT/tools/suites/rows.sh"

PACKAGE=$ROOT/clients/python/src
ADAPTERS=$PACKAGE/memory_postgresql
OURS='our own, directly and through PgBouncer'

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

version_of() { "$HOME_OF_IT/venv/bin/python" -c "import importlib.metadata as metadata; print(metadata.version('$1'))"; }

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
    local newer= version mode
    if [[ $FRAMEWORK != langgraph ]]; then
        tested "$FRAMEWORK-py" env PYTHONPATH="$PACKAGE" venv/bin/python conformance.py contracts direct
        tested "$FRAMEWORK-py-direct" env PYTHONPATH="$PACKAGE" venv/bin/python conformance.py functions direct
        through pooled
        tested "$FRAMEWORK-py-pooled" env PYTHONPATH="$PACKAGE" venv/bin/python conformance.py functions pooled
        version="claude-agent-sdk $(version_of claude-agent-sdk)"
        row 'Claude Agent SDK, session store (Python)' "$ADAPTERS/claude_agent_sdk.py" 'its `session_store_conformance`' "$version" "$FRAMEWORK-py"
        directly
        shown "$FRAMEWORKS" claude_agent_sdk_python env PYTHONPATH="$PACKAGE" venv/bin/python
        typed claude_agent_sdk claude_agent_sdk.py
        row 'Claude Agent SDK, session store (Python)' "$ADAPTERS/claude_agent_sdk.py" "$OURS" "$version" "$FRAMEWORK-py"-{direct,pooled}
        return
    fi
    version=langgraph-checkpoint-conformance\ $(version_of langgraph-checkpoint-conformance)
    ! has_copy langchain-ai/langgraph libs/checkpoint-conformance/langgraph || newer=public/libs/checkpoint-conformance version=langchain-ai/langgraph\ $COPIED
    for mode in async sync; do
        tested "$FRAMEWORK-py-$mode" env PYTHONPATH="$PACKAGE:$newer" venv/bin/python conformance.py "$mode"
        row "LangGraph, checkpointer (Python, $mode)" "$ADAPTERS/langgraph/_saver.py" 'its `checkpoint-conformance`' "$version" "$FRAMEWORK-py-$mode"
    done
    in_both saver
    row 'LangGraph, checkpointer (Python)' "$ADAPTERS/langgraph/_saver.py" "$OURS" '' saver-py-{direct,pooled}
}

# in_both PROGRAM: our own test of that name, directly and through PgBouncer.
in_both() {
    local mode
    for mode in direct pooled; do
        if [[ $mode = pooled ]]; then through pooled; else directly; fi
        tested "$1-py-$mode" env PYTHONPATH="$PACKAGE" venv/bin/python "$1_test.py" "$mode"
    done
    directly
}

# framework NAME: its suite, in a folder with the adapters and, as page.py, the one that docs/clients.md shows.
framework() {
    folder_of "$1"
    ! has_packages || in_py
}

folder_of() {
    COPIED=
    FRAMEWORK=$1 HOME_OF_IT=$NODE/$1
    echo "# the suite of $1, py"
    mkdir -p "$HOME_OF_IT"
    cp "$CLIENTS/$1"/* "$CLIENTS"/public_suite.* "$CLIENTS/tap.py" "$HOME_OF_IT"
    program "$1" >"$HOME_OF_IT/page.py"
    directly
}

# adapter NAME PROGRAM REPOSITORY FILE…: our own test of an adapter, directly and through PgBouncer, and the framework's
# tests, files that are in its public repository only.
adapter() {
    local program=$2
    folder_of "$1"
    has_packages || return 0
    in_both "$program"
    [[ -z ${3:-} ]] || ! has_copy "${@:3}" || public_py "$program" "${@:4}"
}

# has_copy REPOSITORY[:FOLDER] FILE…: these files of the newest commit, by their names in the folder, in the folder public/. Copies of
# public repositories are git directories, called OWNER+NAME, in the folder that PUBLIC_REPOSITORIES names.
has_copy() {
    local name=${1%%:*} git
    local copy=${PUBLIC_REPOSITORIES:-}/${name/\//+}
    [[ ! -d $copy/repo ]] || copy+=/repo
    if [[ -z ${PUBLIC_REPOSITORIES:-} || ! -d $copy ]]; then
        skip "some of $FRAMEWORK's tests are in the public repository $1 only, and PUBLIC_REPOSITORIES names no folder with a copy of it"
        return 1
    fi
    rm -rf "$HOME_OF_IT/public"
    mkdir "$HOME_OF_IT/public"
    git=(git -c safe.directory='*' -C "$copy")
    "${git[@]}" archive "HEAD${1#"$name"}" "${@:2}" | tar -x -C "$HOME_OF_IT/public" || { fail "$1 has other files"; return 1; }
    COPIED=$("${git[@]}" log -1 --format='%h of %cs')
    echo "# $1, $COPIED"
}

# A file of tests each time: libraries that lie side by side have names in common.
public_py() {
    local program=$1 file directory; shift
    for file in "$@"; do
        [[ $file = */test_*.py ]] && grep -qE '^ *(async )?def test_' "$HOME_OF_IT/public/$file" || continue
        directory=public
        [[ $file != */tests/* ]] || directory+=/${file%%/tests/*}
        tested "$program-py-public-$(tr / - <<<"$file")" env PYTHONPATH="$HOME_OF_IT:$HOME_OF_IT/public:$PACKAGE" venv/bin/python -W ignore -m pytest \
            -p swap -p public_suite -p no:terminal -p no:cacheprovider --noconftest --rootdir "$directory" \
            -o asyncio_mode=auto -o asyncio_default_fixture_loop_scope=function "public/$file"
    done
}

# The package: its tests, the program of its README, and what linters and type checkers say of it and of the examples, each adapter
# beside the framework that it is for. It is installed from its pyproject.toml, as pip does.
package_py() {
    local mode
    folder_of python
    has_packages || return 0
    for mode in direct pooled; do
        if [[ $mode = pooled ]]; then through pooled; else directly; fi
        tested "package-py-$mode" env PYTHONPATH="$PACKAGE" venv/bin/python core_test.py "$mode"
    done
    directly
    tested package-py-installed sh -c 'rm -rf made && cp -r "$0" made && venv/bin/pip install --quiet --no-deps --no-build-isolation --no-index --force-reinstall ./made && rm -rf made &&
        echo "ok 1 - pip installs it" || echo "not ok 1 - pip installs it"' "$ROOT/clients/python"
    shown "$ROOT/clients/python/README.md" readme venv/bin/python
    (cd "$ROOT/clients/python" && "$HOME_OF_IT/venv/bin/ruff" check --no-cache --config pyproject.toml . "$ROOT/examples") && pass || fail 'ruff finds something in clients/python or examples'
    (cd "$HOME_OF_IT" && forget_ada && PYTHONPATH="$PACKAGE" venv/bin/python "$ROOT/examples/agent.py" 2>&1; forget_ada) |
        diff "$CLIENTS/package/agent.out" - && pass || fail 'examples/agent.py prints something else'
    typed python __init__.py "$ROOT/examples/agent.py"
    oldest_py
}

# The oldest Python that the package says it works with: what it takes for it by its syntax and its modules, and, where one is
# here (OLDEST_PYTHON, or pyenv's), its tests. Frameworks have versions of their own for it, and are not tested with it.
oldest_py() {
    local oldest python mode
    oldest=$(sed -n 's/^requires-python = ">=\(.*\)"$/\1/p' "$ROOT/clients/python/pyproject.toml")
    "$HOME_OF_IT/venv/bin/vermin" --quiet --no-tips --violations --eval-annotations --backport typing_extensions --target="$oldest-" "$PACKAGE" && pass ||
        fail "clients/python needs a newer Python than $oldest"
    python=$(ls -d "${OLDEST_PYTHON:-}" "${PYENV_ROOT:-$HOME/.pyenv}/versions/$oldest".*/bin/python3 2>/dev/null | tail -n 1 || true)
    [[ -n $python ]] && "$python" -c '' || { skip "there is no Python $oldest to test clients/python with: OLDEST_PYTHON names one"; return 0; }
    echo "# $("$python" --version)"
    [[ -x $HOME_OF_IT/oldest/bin/python && $HOME_OF_IT/oldest -nt $HOME_OF_IT/venv ]] || oldest_packages "$python" >"$LOGS/clients-python-oldest-packages.log" 2>&1 || { skip "no packages for Python $oldest"; return 0; }
    for mode in direct pooled; do
        if [[ $mode = pooled ]]; then through pooled; else directly; fi
        tested "package-py-oldest-$mode" env PYTHONPATH="$PACKAGE" oldest/bin/python core_test.py "$mode"
    done
    directly
}

oldest_packages() {
    rm -rf "$HOME_OF_IT/oldest"
    "$1" -m venv "$HOME_OF_IT/oldest" &&
        "$HOME_OF_IT/oldest/bin/pip" install --quiet --no-deps --requirement <(grep -E '^(psycopg|typing_extensions)' "$HOME_OF_IT/requirements.txt")
}

# shown PAGE NAME COMMAND…: the program of that name on the page, which the command is given as a file, prints what stands below it.
shown() {
    local page=$1 name=$2 file=$HOME_OF_IT/program; shift 2
    file+=$([[ $name = *_js ]] && echo .mjs || echo .py)
    PAGE=$page program "$name" >"$file"
    forget_ada
    diff <(sed "1,/^<!-- program: $name -->\$/d" "$page" | sed -n '/^```text$/,/^```$/p;/^```text$/,/^```$/{/^```$/q}' | sed '1d;$d') \
        <(cd "$HOME_OF_IT" && timeout 60 "$@" "$file" 2>&1) && pass || fail "the program $name of ${page#"$ROOT/"} prints something else"
    forget_ada
}

module_files() { local file; for file in "$@"; do [[ $file = /* ]] || file=src/memory_postgresql/$file; echo "$file"; done; }

# typed FRAMEWORK FILE…: mypy on modules of the package, beside the framework's packages.
typed() {
    local framework=$1; shift
    [[ -x $BUILD/clients/$framework/venv/bin/python && -x $BUILD/clients/python/venv/bin/mypy ]] || { skip "no type checker for $framework"; return; }
    (cd "$ROOT/clients/python" && "$BUILD/clients/python/venv/bin/mypy" --cache-dir "$BUILD/clients/python/mypy-$framework" \
        --python-executable "$BUILD/clients/$framework/venv/bin/python" $(module_files "$@")) && pass || fail "mypy --strict finds something in $*"
}

langgraph_store_py() {
    adapter langgraph store langchain-ai/langgraph libs/checkpoint{,-postgres,-sqlite}/tests/{__init__,test_store}.py \
        libs/checkpoint{,-postgres}/tests/embed_test_utils.py libs/checkpoint-postgres/tests/conftest.py libs/checkpoint-{postgres,sqlite}/tests/test_async_store.py
    row 'LangGraph, store (Python)' "$ADAPTERS/langgraph/_store.py" 'its tests of its own stores' "langchain-ai/langgraph $COPIED" store-py-public-'*'
    shown "$FRAMEWORKS" langgraph_python env PYTHONPATH="$PACKAGE" venv/bin/python
    typed langgraph langgraph/__init__.py
    row 'LangGraph, store (Python)' "$ADAPTERS/langgraph/_store.py" "$OURS" '' store-py-{direct,pooled}
}

memory_tool_py() {
    adapter anthropic_sdk memory_tool anthropics/anthropic-sdk-python tests/lib/tools/memory_tools/test_filesystem.py
    row 'Anthropic, memory tool (Python)' "$ADAPTERS/anthropic_memory_tool.py" 'its tests of its tool over files' "anthropics/anthropic-sdk-python $COPIED" memory_tool-py-public-'*'
    shown "$FRAMEWORKS" anthropic_sdk_python env PYTHONPATH="$PACKAGE" venv/bin/python
    typed anthropic_sdk anthropic_memory_tool.py
    row 'Anthropic, memory tool (Python)' "$ADAPTERS/anthropic_memory_tool.py" "$OURS" '' memory_tool-py-{direct,pooled}
}

deepagents_py() {
    local tests=tests/unit_tests/backends
    folder_of deepagents
    has_packages || return 0
    in_both files
    row 'LangGraph, store (Python)' "$ADAPTERS/langgraph/_store.py" "our own of deepagents' files, directly and through PgBouncer" "deepagents $(version_of deepagents)" files-py-{direct,pooled}
    has_copy langchain-ai/deepagents:libs/deepagents $tests/test_store_backend{,_async}.py || return 0
    public_py deepagents $tests/test_store_backend{,_async}.py
    row 'LangGraph, store (Python)' "$ADAPTERS/langgraph/_store.py" "deepagents' tests of files in a store" "langchain-ai/deepagents $COPIED" deepagents-py-public-'*'
}

openai_agents_py() {
    adapter openai_agents session openai/openai-agents-python tests/{__init__,test_responses}.py tests/memory/test_session{,_limit}.py \
        tests/extensions/memory/test_{async_sqlite,sqlalchemy}_session.py
    shown "$FRAMEWORKS" openai_agents_python env PYTHONPATH="$PACKAGE" venv/bin/python
    typed openai_agents openai_agents.py
    row 'OpenAI Agents SDK, session (Python)' "$ADAPTERS/openai_agents.py" 'its tests of its sessions in SQLite and SQLAlchemy' \
        "openai/openai-agents-python $COPIED" session-py-public-'*'
    row 'OpenAI Agents SDK, session (Python)' "$ADAPTERS/openai_agents.py" "$OURS" "openai-agents $(version_of openai-agents)" session-py-{direct,pooled}
}

loomflow_sources() {
    rm -rf "$HOME_OF_IT"/{public,sources}
    "$HOME_OF_IT/venv/bin/pip" download --quiet --no-deps --no-binary :all: --no-build-isolation --require-hashes --dest "$HOME_OF_IT/sources" --requirement "$HOME_OF_IT/sources.txt" &&
        mkdir "$HOME_OF_IT/public" && tar -x -z -C "$HOME_OF_IT/public" --strip-components 1 -f "$HOME_OF_IT"/sources/*.tar.gz
}

# Its tests come with its sources from PyPI; those that make nothing that is swapped are not counted.
loomflow_py() {
    adapter loomflow loomflow
    [[ -d $HOME_OF_IT/venv ]] || return 0
    installed_by sources.txt loomflow_sources >"$LOGS/clients-loomflow-sources.log" 2>&1 || { skip "loomflow's tests: its sources cannot be had"; return; }
    public_py loomflow tests/test_{recall_scored,facts,multi_user_isolation,user_id_isolation_full,memory_gdpr,validation_gdpr,checkpoint_store,memory_graph,graph}.py
    shown "$FRAMEWORKS" loomflow_python env PYTHONPATH="$PACKAGE" venv/bin/python
    typed loomflow loomflow.py loomflow_migrate.py
    row 'loomflow, memory, facts, journal (Python)' "$ADAPTERS/loomflow.py" 'its tests of recall, facts, isolation, GDPR, checkpoints, graphs' \
        "loomflow $(version_of loomflow)" loomflow-py-public-'*'
    row 'loomflow, memory, facts, journal (Python)' "$ADAPTERS/loomflow.py" "$OURS, and the copy of its tables" "loomflow $(version_of loomflow)" loomflow-py-{direct,pooled}
}
