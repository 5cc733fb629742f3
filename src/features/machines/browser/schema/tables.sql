-- The tables of this room as its migrations leave them, where their columns are explained.

-- Written by the tests with UPDATE_SNAPSHOTS=1; do not edit.

create table browser_session (
  id text,
  account_id uuid not null,
  gateway_id integer,
  keep_alive boolean not null default false,
  country text,
  paid_minutes integer not null,
  started_at timestamp with time zone not null,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  outcome text,
  recording text,
  recording_file_id uuid,
  recording_failure text,
  cursor uuid,
  key_id uuid,
  charged bigint not null default 0,
  close_reason text,
  name text,
  PRIMARY KEY (name),
  CHECK ((charged >= 0)),
  CHECK (((ended_at IS NULL) = (outcome IS NULL))),
  CHECK (((recording_failure IS NULL) OR (recording = 'failed'::text))),
  CHECK ((close_reason = ANY (ARRAY['closed'::text, 'key_ended'::text, 'lifetime'::text, 'idle'::text, 'lost'::text, 'operator'::text, 'plan'::text]))),
  UNIQUE (id),
  CHECK ((outcome = ANY (ARRAY['released'::text, 'expired'::text]))),
  CHECK ((paid_minutes > 0)),
  CHECK ((recording = ANY (ARRAY['pending'::text, 'saved'::text, 'failed'::text])))
);
create index browser_session_by_account ON browser_session USING btree (account_id, cursor DESC);
create index browser_session_by_end ON browser_session USING btree (ended_at);
create index browser_session_due ON browser_session USING btree (expires_at) WHERE (ended_at IS NULL);
create index browser_session_open ON browser_session USING btree (account_id) WHERE (ended_at IS NULL);
create index browser_session_recorded ON browser_session USING btree (expires_at) WHERE (recording = 'pending'::text);
