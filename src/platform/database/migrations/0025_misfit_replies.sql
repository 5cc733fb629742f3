-- What providers answered where the answer did not fit what its action promises: for the operator, for some days.
create table misfit_reply (
  id uuid primary key,
  action text not null,
  -- The paid call; null for a free one.
  call_id uuid,
  -- What did not fit, in the words of the schema.
  misfits text not null,
  -- The exchanges of the call, newest last: method, path, status and the body, cut at a limit, without the credential.
  replies jsonb not null,
  created_at timestamptz not null default now()
);
create index misfit_reply_by_time on misfit_reply (created_at);
