# What tools/signatures finds in docs/reference.md that the contract says otherwise.
. "$(dirname "$0")/tally.bash"

mkdir -p "$SCRATCH"/{docs,tests/clients}
cd "$SCRATCH"
cat >docs/contract.md <<'PAGE'
## 1. Setting up

```
memory.greet(name text, times bigint DEFAULT 1, user_id …,      -- a comment
   loud float8 DEFAULT 0.5) RETURNS text
memory.names(filter text[] DEFAULT '{}') RETURNS TABLE (name text, since timestamptz) ; memory.drop(text)
memory.list() RETURNS SETOF memory.name
```
## 10. Later

```
memory.later()
```
PAGE
cat >docs/reference.md <<'PAGE'
## Chapter
### greet

| argument | type | default | |
|---|---|---|---|
| `name` | text |  | A name. |
| `times` | bigint | `1` | How often. |
| `user_id` | text | `NULL` | The user \| its name. |
| `loud` | double precision | `0.5` | How loud. |

Returns `text`. *Stable.*

### names

| argument | type | default | |
|---|---|---|---|
| `filter` | text[] | `'{}'` | Only these. |

Returns rows. *Stable.*

| column | type | |
|---|---|---|
| `name` | text | A name. |
| `since` | timestamp with time zone | Since when. |

### drop

| argument | type | default | |
|---|---|---|---|
| `name` | text |  | A name. |

Returns `void`. *Volatile.*

### list

Returns `SETOF name`. *Stable.*

## Types
### name

| column | type | |
|---|---|---|
| `name` | text | A name. |
PAGE
"$ROOT/tools/signatures" --extract docs/contract.md >tests/clients/api.signatures
: >tests/clients/api.differences

signatures() { "$ROOT/tools/signatures" "$@" "$SCRATCH" && echo passes || echo fails; }
is "$(signatures | tail -n 1)" passes 'the page and the contract agree'

differs() { # SED SAID STATEMENT
    local said
    cp docs/reference.md kept
    sed -i "$1" docs/reference.md
    said=$(signatures)
    like "$said" "differs from the contract: $2" "$3"
    is "$(tail -n 1 <<<"$said")" fails '… and fails'
    echo "$2   # for a reason" >tests/clients/api.differences
    is "$(signatures | tail -n 1)" passes '… unless it is known'
    : >tests/clients/api.differences
    cp kept docs/reference.md
}
differs '/`times`/d' 'greet: lacks argument times' 'an argument is missing'
differs '/loud/s/double precision/real/' 'greet: argument loud is real, not double precision' 'an argument is of another type'
differs '/times/s/`1`/`2`/' 'greet: argument times has default 2, not 1' 'a default is another'
differs '/user_id/s/`NULL`//' 'greet: argument user_id has no default' 'an argument is not optional'
differs 's/^| `loud`.*/&\n| `more` | text |  | More. |/' 'greet: argument more has no default' 'one more argument is needed'
differs '/since/d' 'names: lacks column since' 'a column is missing'
differs 's/Returns `void`/Returns `text`/;/filter/s/text\[\]/text/' 'names: argument filter is text, not text[]' 'an array is none'
differs 's/`SETOF name`/`name`/' 'list: returns name, not SETOF name' 'a set is none'
like "$(sed -i.kept 's/### drop/### remove/' docs/reference.md; signatures; mv docs/reference.md.kept docs/reference.md)" \
    'remove: is not in the contract' 'a function is not in the contract'

sed -i 's/^| `loud`.*/&\n| `more` | text | `NULL` | More. |/' docs/reference.md
is "$(signatures | tail -n 1)" passes 'arguments may follow, with a default'
echo 'greet: lacks argument times' >tests/clients/api.differences
like "$(signatures)" 'does not differ any more' 'a known difference that is none is said'
is "$(signatures --api "$SCRATCH/docs/contract.md" | tail -n 1)" fails '… and fails beside the contract'
: >tests/clients/api.differences
sed -i 's/DEFAULT 1/DEFAULT 2/' docs/contract.md
like "$(signatures --api "$SCRATCH/docs/contract.md")" 'not in api.signatures: greet(name text, times bigint DEFAULT 2' 'a contract that has changed is found'
end
