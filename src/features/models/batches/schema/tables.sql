-- The tables of this room as its migrations leave them, where their columns are explained.

-- Written by the tests with UPDATE_SNAPSHOTS=1; do not edit.

create table model_batch (
  id uuid,
  account_id uuid not null,
  key_id uuid not null,
  key_limited boolean not null,
  endpoint text not null,
  input_file uuid not null,
  idempotency_key text,
  metadata text,
  status text not null,
  errors text,
  output_file uuid,
  error_file uuid,
  gateway_id integer,
  created_at timestamp with time zone not null,
  began_at timestamp with time zone,
  cancelled_at timestamp with time zone,
  ended_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  PRIMARY KEY (id),
  CHECK ((status = ANY (ARRAY['validating'::text, 'in_progress'::text, 'finalizing'::text, 'cancelling'::text, 'completed'::text, 'failed'::text, 'cancelled'::text, 'expired'::text])))
);
create index model_batch_by_account ON model_batch USING btree (account_id, id DESC);
create index model_batch_by_age ON model_batch USING btree (created_at);
create unique index model_batch_once ON model_batch USING btree (account_id, idempotency_key);
create index model_batch_open ON model_batch USING btree (id) WHERE (ended_at IS NULL);

create table model_batch_line (
  batch_id uuid,
  place integer,
  custom_id text not null,
  body text not null,
  state text not null default 'waiting'::text,
  answer text,
  PRIMARY KEY (batch_id, place),
  FOREIGN KEY (batch_id) REFERENCES model_batch(id) ON DELETE CASCADE,
  CHECK ((state = ANY (ARRAY['waiting'::text, 'succeeded'::text, 'failed'::text])))
);
create index model_batch_line_waiting ON model_batch_line USING btree (batch_id, place) WHERE (state = 'waiting'::text);
