-- Sandboxes, which end with their gateway. The callers that own them are remembered by their handles.
create table sandbox (
  id text primary key,
  gateway_id integer not null,
  state text not null check (state in ('running', 'finished', 'failed')),
  -- Of the command that it was created with.
  returncode integer,
  expires_at timestamptz not null,
  ended_at timestamptz
);
create index sandbox_by_expiry on sandbox (expires_at);
