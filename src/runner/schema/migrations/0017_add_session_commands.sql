-- Commands in sessions that were sent with an Idempotency-Key: each runs once, also when the gateway dies before it answers.
create table session_command (
  session_id uuid not null references session (id) on delete cascade,
  key text not null,
  digest bytea not null,
  -- The gateway that runs it, or ran it.
  gateway_id integer not null,
  has_ended boolean not null default false,
  -- JSON. Null while it runs, and for an answer that is too large to be kept.
  answer text,
  created_at timestamptz not null default now(),
  primary key (session_id, key)
);
create index session_command_by_time on session_command (created_at);
