// The arguments of remember(), which are the keys of an element of remember_many(), too.
#pragma once

namespace memory::episodes {

inline constexpr char remember_arguments[] =
    "content text, response text, user_id text, session_id text, agent_id text, kind text,"
    " role text, metadata jsonb, importance float8, occurred_at timestamptz, ttl interval,"
    " embedding vector, transcript jsonb, id uuid, model text";

} // namespace memory::episodes
