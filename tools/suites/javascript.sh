# Sourced by the suite clients: the package in clients/js, built in a folder of its own with the packages that its lock names, and
# the suites of those that use it. The folder tests/ in it has the tests and, in public/, strangers'.
# shellcheck shell=bash

JS=$NODE/js
SOURCE=$ROOT/clients/js/src
OURS_JS='our own, directly and through PgBouncer'
# Rows of docs/frameworks.md, where the suite has them (rows.sh).
declare -F row >/dev/null || row() { :; }

version_in_js() { node -p "require('$JS/node_modules/$1/package.json').version"; }

# Built once a run. The program that the Claude Agent SDK brings is large, and nothing here runs it.
js_package() {
    [[ -z ${JS_BUILT:-} ]] || return "$JS_BUILT"
    local output=$LOGS/clients-js-package.log
    JS_BUILT=1
    at_least 20 "$(node --version | tr -d v)" || { skip "clients/js needs node 20, this is $(node --version)"; return 1; }
    js_install >"$output" 2>&1 ||
        { skip "the packages of clients/js: $(grep -iE -m 1 'error|fail|missing' "$output" || echo 'none')"; return 1; }
    js_compile >>"$output" 2>&1 || { cat "$output"; fail 'clients/js does not compile (tsc --strict)'; return 1; }
    JS_BUILT=0
}

js_install() {
    mkdir -p "$JS"
    cmp -s "$ROOT/clients/js/package-lock.json" "$JS/installed" && return
    cp "$ROOT"/clients/js/package*.json "$JS" &&
        (cd "$JS" && npm ci --ignore-scripts --no-audit --no-fund) &&
        rm -rf "$JS"/node_modules/@anthropic-ai/claude-agent-sdk-* &&
        ln -sfn .. "$JS/node_modules/memory-postgresql" &&
        cp "$ROOT/clients/js/package-lock.json" "$JS/installed"
}

js_compile() {
    rm -rf "$JS/src" "$JS/dist" "$JS/tests"
    cp -r "$ROOT"/clients/js/{src,package.json,tsconfig.json,eslint.config.js,README.md} "$JS" &&
        (cd "$JS" && node_modules/.bin/tsc)
}

# js_folder NAME: a folder below the package with the tests of that name, which HOME_OF_IT says.
js_folder() {
    js_package || return
    FRAMEWORK=$1 HOME_OF_IT=$JS/tests/$1 COPIED=
    echo "# the suite of $1, js"
    mkdir -p "$HOME_OF_IT"
    cp "$CLIENTS/$1"/*.mjs "$CLIENTS"/{tap,public_suite.*}.mjs "$HOME_OF_IT"
    directly
}

# js_tested NAME PROGRAM: our own tests of NAME, directly and through PgBouncer.
js_tested() {
    local mode
    for mode in direct pooled; do
        if [[ $mode = pooled ]]; then through pooled; else directly; fi
        tested "$1-js-$mode" node "${2:-$1}_test.mjs" "$mode"
    done
    directly
}

# js_rows ADAPTER FILES NAME SUITE REPOSITORY: what strangers' tests of the repository and our own say of it.
js_rows() {
    row "$1" "$2" "$4" "$5 ${COPIED:-}" "$3-js-public"
    row "$1" "$2" "$OURS_JS" '' "$3"-js-{direct,pooled}
}

# js_public NAME REPOSITORY FILE…: strangers' tests, files that are in a public repository only.
js_public() {
    ! has_copy "${@:2}" || tested "$1-js-public" env TEST_POSTGRES_URL=postgres://localhost/none \
        "$JS/node_modules/.bin/vitest" run --config public_suite.config.mjs
}

# In transaction mode, too: no test has a connection of its own.
langgraph_js() {
    local mode
    js_folder langgraph || return 0
    for mode in direct pooled; do
        if [[ $mode = pooled ]]; then through pooled; else directly; fi
        tested "langgraph-js-$mode" "$JS/node_modules/.bin/vitest" run --globals --reporter=tap-flat validation.test.mjs
        row "LangGraph, checkpointer (JavaScript, $mode)" "$SOURCE/langgraph/saver.ts" \
            'its `checkpoint-validation`' "@langchain/langgraph-checkpoint-validation $(version_in_js @langchain/langgraph-checkpoint-validation)" "langgraph-js-$mode"
    done
    js_tested saver
    row 'LangGraph, checkpointer (JavaScript)' "$SOURCE/langgraph/saver.ts" "$OURS_JS" '' saver-js-{direct,pooled}
}
langgraph_store_js() {
    js_folder langgraph || return 0
    js_tested store
    js_public store langchain-ai/langgraphjs libs/checkpoint/src/tests/store.test.ts libs/checkpoint-postgres/src/tests/store.int.test.ts
    js_rows 'LangGraph, store (JavaScript)' "$SOURCE/langgraph/store.ts" store 'its tests of its own stores' langchain-ai/langgraphjs
}
deepagents_js() {
    local mode
    js_folder deepagents || return 0
    js_public deepagents langchain-ai/deepagentsjs libs/deepagents/src
    for mode in direct pooled; do
        [[ -n ${COPIED:-} ]] || break
        if [[ $mode = pooled ]]; then through pooled; else directly; fi
        tested "files-js-$mode" env FILES_TEST=files_test.mjs "$JS/node_modules/.bin/vitest" run --config public_suite.config.mjs
    done
    directly
    row 'LangGraph, store (JavaScript)' "$SOURCE/langgraph/store.ts" "our own of deepagents' files, directly and through PgBouncer" "langchain-ai/deepagentsjs ${COPIED:-}" files-js-{direct,pooled}
    row 'LangGraph, store (JavaScript)' "$SOURCE/langgraph/store.ts" "deepagents' tests of files in a store" "langchain-ai/deepagentsjs ${COPIED:-}" deepagents-js-public
}
memory_tool_js() {
    js_folder anthropic_sdk || return 0
    js_tested memory_tool
    js_public memory_tool anthropics/anthropic-sdk-typescript tests/lib/tools/BetaLocalFilesystemMemoryTool.test.ts
    js_rows 'Anthropic, memory tool (JavaScript)' "$SOURCE/anthropic.ts" memory_tool 'its tests of its tool over files' anthropics/anthropic-sdk-typescript
}
claude_agent_sdk_js() {
    js_folder claude_agent_sdk || return 0
    js_tested session_store
    js_public session_store anthropics/claude-agent-sdk-typescript examples/session-stores/shared/conformance.ts
    js_rows 'Claude Agent SDK, session store (JavaScript)' "$SOURCE/claude_agent_sdk.ts" session_store 'its suite for session stores' anthropics/claude-agent-sdk-typescript
}

# The package itself: its rules, its core, and what its README shows, run as it is packed.
package_js() {
    js_folder package || return 0
    if (cd "$JS" && npm run --silent lint) >"$LOGS/clients-package-js-lint.log" 2>&1; then pass; else
        cat "$LOGS/clients-package-js-lint.log"
        fail 'eslint finds something in clients/js'
    fi
    js_tested core
    tested types-js node types_test.mjs
    js_readme
    examples_js
}

# The example prints what it should.
examples_js() {
    local output=$LOGS/clients-package-js-agent.log
    psql -XAtq -d "$DATABASE" -c "SELECT memory.forget_user('ada')" >/dev/null
    cp "$ROOT/examples/agent.mjs" "$HOME_OF_IT"
    if (cd "$HOME_OF_IT" && timeout 60 node agent.mjs) >"$output" 2>&1 && diff "$CLIENTS/package/agent.out" "$output"; then pass; else
        cat "$output"
        fail 'examples/agent.mjs prints something else'
    fi
    psql -XAtq -d "$DATABASE" -c "SELECT memory.forget_user('ada')" >/dev/null
    compose_examples
}

js_readme() {
    local home=$JS/packed output=$LOGS/clients-package-js-readme.log name
    rm -rf "$home"
    mkdir -p "$home/node_modules/memory-postgresql"
    (cd "$JS" && npm pack --ignore-scripts --silent --pack-destination "$home") >"$output" 2>&1
    tar -xzf "$home"/*.tgz --strip-components=1 -C "$home/node_modules/memory-postgresql"
    ln -s "$JS"/node_modules/pg* "$JS"/node_modules/{postgres-*,xtend,split2} "$home/node_modules"
    sed -n '/^```js$/,/^```$/p' "$ROOT/clients/js/README.md" | sed '1d;/^```$/,$d' >"$home/program.mjs"
    forget_ada
    if (cd "$home" && timeout 60 node program.mjs) >"$output" 2>&1 &&
        diff <(sed -n '/^```text$/,/^```$/p' "$ROOT/clients/js/README.md" | sed '1d;/^```$/,$d') "$output"; then pass; else
        cat "$output"
        fail 'the program of clients/js/README.md prints something else'
    fi
    for name in langgraph openai_agents claude_agent_sdk anthropic mcp import; do shown "$FRAMEWORKS" "${name}_js" env npm_config_loglevel=error node; done
}

mcp_js() {
    js_folder mcp || return 0
    js_tested mcp
    js_tested http
    tested inspector-js node inspector_test.mjs
    row 'MCP, the server' "$(printf '%s ' "$SOURCE"/mcp/*.ts)" 'the official inspector, by its command line' "@modelcontextprotocol/inspector $(version_in_js @modelcontextprotocol/inspector)" inspector-js
    row 'MCP, the server' "$(printf '%s ' "$SOURCE"/mcp/*.ts)" "$OURS_JS, over HTTP too" '' {mcp,http}-js-{direct,pooled}
    js_public mcp modelcontextprotocol/servers src/memory/__tests__
    row 'MCP, the graph of the reference server' "$SOURCE/mcp/graph.ts" 'the tests of the reference memory server' "modelcontextprotocol/servers ${COPIED:-}" mcp-js-public
}

import_js() {
    js_folder import || return 0
    js_tested import
}

openai_agents_js() {
    js_folder openai_agents || return 0
    js_tested session
    js_public session openai/openai-agents-js packages/agents-core/src \
        packages/agents-core/test/{stubs.ts,memorySession.test.ts,hitlMemorySessionScenario.test.ts,run.{approvalGuardrail,outputGuardrailReplay}Session.test.ts,runner/sessionPersistence.test.ts}
    js_rows 'OpenAI Agents SDK, session (JavaScript)' "$SOURCE/openai_agents.ts" session 'its tests of sessions and of runs with them' openai/openai-agents-js
}
