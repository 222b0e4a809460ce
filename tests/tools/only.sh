# What ONLY names, and that a word which names nothing is a failure.
. "$(dirname "$0")/tally.bash"
. "$ROOT/tools/suites/tests.sh"
unset ONLY TAP

mkdir -p "$SCRATCH/sql" "$SCRATCH/tests/tap/t" "$SCRATCH/src/rank"
cd "$SCRATCH"
touch sql/recall.sql sql/recall_oracle.sql sql/facts_recall.sql sql/scope.sql src/rank/fusion.cpp
touch tests/tap/t/004_crash.pl tests/tap/t/020_oracle.pl tests/tap/t/021_index_crash.pl

only() { echo "$(ONLY=$2 chosen "$1" | tr '\n' ' ')"; }
is "$(only regress '')" 'facts_recall recall recall_oracle scope ' 'without ONLY all tests run, by name'
is "$(only regress recall)" 'recall ' 'a name is that test, whatever others it is a part of'
is "$(only regress 'recall*')" 'recall recall_oracle ' 'a pattern is what it matches'
is "$(only regress 'cope scope recall')" 'scope recall ' 'several words, in their order, each test once'
is "$(only tap 020)" '020_oracle ' 'a number is enough'
is "$(only tap crash)" '004_crash 021_index_crash ' 'a part of names is all of them'
is "$(TAP=020 only tap crash)" '020_oracle ' 'TAP is ONLY for the suite of that name'
is "$(TAP=020 only regress scope)" 'scope ' '… and for no other'
is "$(only lint fusion)" 'rank/fusion ' "lint's tests are sources"
is "$(only unit fusion)" '' 'a suite without tests has none'

export BUILD=$SCRATCH/build FUZZ_SECONDS=1
status=0
said=$(SUITES=regress ONLY='recall nothing_like_it' "$ROOT/tools/test") || status=$?
is "$status" 1 'a word that names no test is a failure'
like "$said" 'no test is called nothing_like_it' '… which is named'
is "$(tail -n 1 <<<"$said")" '0 passed, 1 failed' '… and counted in the last line'
is "$([[ -e $BUILD ]] && echo built)" '' '… before anything is built'
end
