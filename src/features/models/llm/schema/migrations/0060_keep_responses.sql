-- Responses of language models that callers may read again and continue, for 30 days. Input and output are JSON.
create table kept_response (
  -- The id of the call that made it.
  id uuid primary key,
  account_id uuid not null,
  -- A limited key sees only its own.
  key_id uuid not null,
  -- The response that it continues. Its items are kept there.
  previous uuid,
  -- The items of its own request.
  items text not null,
  -- What it repeats of its request, for a response in the background that has not ended. Null for others.
  background text,
  -- Null: it has not ended.
  response text,
  bytes bigint not null check (bytes >= 0),
  created_at timestamptz not null
);
create index kept_response_by_age on kept_response (created_at);

-- What the responses of an account take. Its row makes changes of one account wait for each other.
create table kept_response_usage (
  account_id uuid primary key,
  bytes bigint not null default 0 check (bytes >= 0)
);
