# Sourced by tools/test and by every suite: the names of a suite's tests, and those that ONLY chooses.
# shellcheck shell=bash

# names DIRECTORY ENDING: the files in it that end so, without the ending, in the order of bytes.
names() { [[ ! -d $1 ]] || (cd "$1" && LC_ALL=C ls) | sed -n "s/$2\$//p"; }

tests_of() {
    case $1 in
    lint) (cd src && find . -name '*.cpp') | sed 's/^\.\/\(.*\)\.cpp$/\1/' | LC_ALL=C sort ;;
    unit) names tests/unit '_test\.cpp' ;;
    fuzz) names tests/fuzz '_fuzz\.cpp' ;;
    regress) if [[ -f sql/order ]]; then grep -v '^#' sql/order; else names sql '\.sql'; fi ;;
    door) names tests/door/sql '\.sql' ;;
    isolation) names tests/isolation/specs '\.spec' ;;
    tap) names tests/tap/t '\.pl' ;;
    tools) names tests/tools '\.sh' ;;
    worker) names tests/worker '_test\.py' ;;
    clients) printf '%s\n' psycopg2 psycopg3 asyncpg pg postgres jdbc pooler pools dialogues contract \
        package-py openai-agents-py loomflow-py deepagents-py \
        langgraph-js langgraph-py langgraph-store-js langgraph-store-py claude-agent-sdk memory-tool-js memory-tool-py \
        package-js claude-agent-sdk-js mcp-js import-js openai-agents-js deepagents-js ;;
    minors) printf '%s\n' symbols demo ${THOROUGH:+regress} ;;
    upgrade) echo comparison; names tests/upgrade '\.sql' | sed -n 's/^memory--//p' ;;
    *) echo "$1" ;;
    esac
}

# left_out SUITE: tests of minutes, which `make test-all` runs, and ONLY by their names.
left_out() {
    [[ $1 != tap || -n ${THOROUGH:-} || -n ${ONLY:-}${TAP:-} ]] || printf '%s\n' 111_shards_pooled 113_front 114_shards_user 116_shards_double
}

# matching WORD, of the names on stdin: the one that is called so, else those that match it as a
# pattern (020_*), else those that it is a part of (020).
matching() {
    local word=$1 all name; all=$(cat)
    ! grep -Fx -e "$word" <<<"$all" || return 0
    [[ $word = *[*?[]* ]] || word="*$word*"
    # shellcheck disable=SC2053
    while read -r name; do [[ $name != $word ]] || echo "$name"; done <<<"$all"
}

# chosen SUITE: all of its tests, or those that ONLY names; TAP is ONLY for the suite of that name.
chosen() {
    local words word
    read -ra words <<<"$([[ $1 = tap && -n ${TAP:-} ]] && echo "$TAP" || echo "${ONLY:-}")"
    ((${#words[@]})) || { tests_of "$1" | { grep -vFx -f <(left_out "$1") || true; }; return; }
    for word in "${words[@]}"; do tests_of "$1" | matching "$word"; done | awk '!seen[$0]++'
}
