# Which includes tools/arrows lets pass: only those that the table of docs/design.md lists.
. "$(dirname "$0")/tally.bash"

# A house of three rooms: a floor, a pure room with a shell's side, and one that stands on both.
mkdir -p "$SCRATCH"/{docs,src/floor,src/words/deep,src/top}
cd "$SCRATCH"
cat >docs/design.md <<'TABLE'
| room | is | may include |
|---|---|---|
| `src/floor` | below | PostgreSQL |
| `src/words` | pure | nothing |
| `src/words/deep` | pure, inside | nothing |
| `src/words/*_sql` | the shell's side | `floor`, `words` |
| `src/top` | above | `floor`, `words/words.h` |
TABLE
touch src/floor/floor.h src/top/top.h src/words/{words,other}.h src/words/deep/deep.h
echo '#include "floor/floor.h"' >src/words/words_sql.cpp
printf '#include "floor/floor.h"\n#include "words/words.h"\n#include <string>\n' >src/top/top.cpp

arrows() { "$ROOT/tools/arrows" "$SCRATCH" && echo passes || echo fails; }
is "$(arrows)" passes 'what the table lists passes'

forbidden() { # FILE HEADER STATEMENT [HEADER, as it is said]
    local said
    echo "#include \"$2\"" >>"$1"
    said=$(arrows)
    like "$said" "$1:$(wc -l <"$1") includes ${4:-$2}: docs/design.md does not let" "$3"
    is "$(tail -n 1 <<<"$said")" fails '… and fails'
    sed -i '$d' "$1"
}
forbidden src/words/words.h floor/floor.h 'a pure room may not include the floor'
forbidden src/floor/floor.h top/top.h 'nor the floor what stands on it'
forbidden src/top/top.cpp words/other.h 'of a room that gives one header no other is taken'
forbidden src/words/words.h ../floor/floor.h 'nor by another way' floor/floor.h
forbidden src/words/words.h words/deep/deep.h 'a room inside another is a room of its own'
is "$(arrows)" passes 'without them it passes again'

sed -i 's/| PostgreSQL |/| PostgreSQL, `words` |/; s/| nothing |/| `floor` |/' docs/design.md
echo '#include "words/words.h"' >>src/floor/floor.h
echo '#include "floor/floor.h"' >>src/words/words.h
like "$(arrows)" 'a cycle of rooms: floor -> words -> floor' 'a cycle fails, even one that the table lists'

mkdir src/new
touch src/new/new.h
like "$(arrows)" 'src/new is not in the table' 'every room is in the table'
sed -i '/src\/top/d' docs/design.md
rm -r src/words/deep
like "$(arrows)" 'src/words/deep is in the table of docs/design.md and has no source' 'and every row is a room'
end
