// Pieces of the statements that read memory.episodes.
#pragma once

// The columns of type memory.episode, in its order.
#define EPISODE_COLUMNS                                                                            \
    "id, CASE WHEN user_id OPERATOR(pg_catalog.<>) '' THEN user_id END,  session_id,"              \
    " agent_id, kind, role, content, response,"                                                    \
    " occurred_at, metadata, importance, transcript, expires_at, recorded_at"

// Expired episodes are invisible to every call.
#define NOT_EXPIRED                                                                                \
    "(expires_at IS NULL OR expires_at OPERATOR(pg_catalog.>) pg_catalog.statement_timestamp())"
