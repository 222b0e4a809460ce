// The hook of an engine that spreads tables of users over shards, which may be on other nodes
// (docs/scale.md). For C, too: the engine is another library, which sets the rendezvous variable of
// this name to a function of this type when it is loaded:
//
//     *find_rendezvous_variable(MEMORY_SHARD_OF) = (void *) shard_of;
#pragma once

#include "postgres.h"

#define MEMORY_SHARD_OF "memory_shard_of"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct MemoryShard {
    char suffix[NAMEDATALEN]; // behind the names of the table and of its indexes: "_102008"
    char node[256];           // what to connect to; empty: the shard is here
} MemoryShard;

// Says which shard of a table has the rows of this user, '' for the anonymous one; false: the
// engine has not spread the table. May ereport(ERROR). It is called for each table that a call
// scans by itself.
typedef bool (*MemoryShardOf)(Oid table, const char *name_space, const char *user_id,
                              MemoryShard *shard);

#ifdef __cplusplus
}
#endif
