-- Batches: files of requests to models, which are answered line by line. The batches of a limited key are that key's
-- alone.
create table model_batch (
  id uuid primary key,
  account_id uuid not null,
  key_id uuid not null,
  -- Whether the key had limits when it made the batch.
  key_limited boolean not null,
  -- The address that each line names.
  endpoint text not null,
  input_file uuid not null,
  idempotency_key text,
  -- JSON of the caller.
  metadata text,
  status text not null check (status in ('validating', 'in_progress', 'finalizing', 'cancelling',
    'completed', 'failed', 'cancelled', 'expired')),
  -- Why it failed, as JSON.
  errors text,
  output_file uuid,
  error_file uuid,
  -- The gateway that works on it. Null: none does.
  gateway_id integer,
  created_at timestamptz not null,
  began_at timestamptz,
  cancelled_at timestamptz,
  ended_at timestamptz,
  expires_at timestamptz not null
);
create index model_batch_by_account on model_batch (account_id, id desc);
create unique index model_batch_once on model_batch (account_id, idempotency_key);
create index model_batch_open on model_batch (id) where ended_at is null;
create index model_batch_by_age on model_batch (created_at);

-- The requests of a batch. Their answers stay with it.
create table model_batch_line (
  batch_id uuid not null references model_batch on delete cascade,
  place integer not null,
  custom_id text not null,
  body text not null,
  state text not null default 'waiting' check (state in ('waiting', 'succeeded', 'failed')),
  -- The line of the output or error file, as JSON.
  answer text,
  primary key (batch_id, place)
);
create index model_batch_line_waiting on model_batch_line (batch_id, place) where state = 'waiting';
