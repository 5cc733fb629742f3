-- The tables of this room as its migrations leave them, where their columns are explained.

-- Written by the tests with UPDATE_SNAPSHOTS=1; do not edit.

create table checkpoint (
  call_id uuid,
  name text,
  value text not null,
  PRIMARY KEY (call_id, name)
);

create table vendor_handle (
  account_id uuid,
  namespace text,
  kind text,
  id text,
  key_id uuid default '00000000-0000-0000-0000-000000000000'::uuid,
  created_at timestamp with time zone not null default now(),
  is_kept boolean not null default false,
  has_ended boolean not null default false,
  PRIMARY KEY (namespace, kind, id, account_id, key_id)
);
create index vendor_handle_by_owner ON vendor_handle USING btree (account_id, namespace, kind, created_at DESC);
create index vendor_handle_by_time ON vendor_handle USING btree (created_at) WHERE (NOT is_kept);

create table purchase (
  call_id uuid,
  reference uuid not null,
  gateway_id integer not null,
  doubt text,
  started_at timestamp with time zone not null default now(),
  resolved_at timestamp with time zone,
  resolution text,
  note text,
  PRIMARY KEY (call_id),
  CHECK ((resolution = ANY (ARRAY['charge'::text, 'void'::text])))
);
create index purchase_open ON purchase USING btree (started_at) WHERE (resolved_at IS NULL);

create table seller_payment (
  call_id uuid,
  protocol text not null,
  payee text not null,
  micros bigint not null,
  chain_reference text,
  sent_at timestamp with time zone not null default now(),
  answered_at timestamp with time zone,
  receipt text,
  PRIMARY KEY (call_id, chain_reference),
  FOREIGN KEY (call_id) REFERENCES purchase(call_id),
  CHECK ((micros >= 0))
);

create table request_once (
  id bytea,
  request_digest bytea not null,
  answer bytea not null,
  expires_at timestamp with time zone not null,
  PRIMARY KEY (id)
);
create index request_once_expiry ON request_once USING btree (expires_at);

create table misfit_reply (
  id uuid,
  action text not null,
  call_id uuid,
  misfits text not null,
  replies jsonb not null,
  created_at timestamp with time zone not null default now(),
  PRIMARY KEY (id)
);
create index misfit_reply_by_time ON misfit_reply USING btree (created_at);

create table retention (
  what text,
  reached uuid not null,
  PRIMARY KEY (what)
);

create table session (
  id uuid,
  account_id uuid not null,
  key_id uuid,
  action text not null,
  state text not null default 'opening'::text,
  call_id uuid,
  gateway_id integer not null,
  machine text,
  tariff jsonb not null,
  per_second jsonb not null default '{}'::jsonb,
  used jsonb not null default '{}'::jsonb,
  reserve bigint not null,
  ceiling bigint,
  settled bigint not null default 0,
  resource bytea,
  close_reason text,
  created_at timestamp with time zone not null,
  last_seen_at timestamp with time zone not null,
  last_used_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  unsaved_since timestamp with time zone,
  PRIMARY KEY (id),
  FOREIGN KEY (account_id) REFERENCES account(id),
  CHECK (((state = 'closed'::text) <= ((resource IS NULL) AND (ended_at IS NOT NULL)))),
  CHECK ((close_reason = ANY (ARRAY['closed'::text, 'key_ended'::text, 'balance'::text, 'lifetime'::text, 'idle'::text, 'lost'::text, 'gateway'::text, 'operator'::text, 'failed'::text]))),
  CHECK ((reserve > 0)),
  CHECK ((settled >= 0)),
  CHECK ((state = ANY (ARRAY['opening'::text, 'open'::text, 'suspended'::text, 'closing'::text, 'closed'::text])))
);
create index session_by_account ON session USING btree (account_id, id DESC);
create index session_by_call ON session USING btree (call_id) WHERE (call_id IS NOT NULL);
create index session_live ON session USING btree (gateway_id) WHERE (state <> 'closed'::text);

create table session_command (
  session_id uuid,
  key text,
  digest bytea not null,
  gateway_id integer not null,
  has_ended boolean not null default false,
  answer text,
  created_at timestamp with time zone not null default now(),
  job_id uuid,
  failure text,
  PRIMARY KEY (session_id, key),
  FOREIGN KEY (session_id) REFERENCES session(id) ON DELETE CASCADE
);
create unique index session_command_by_job ON session_command USING btree (job_id) WHERE (job_id IS NOT NULL);
create index session_command_by_time ON session_command USING btree (created_at);

create table operator_action (
  id uuid,
  action text not null,
  subject text,
  details jsonb not null,
  actor text not null,
  address text not null,
  request_id text not null,
  created_at timestamp with time zone not null default now(),
  operator_account_id uuid,
  operator_name text,
  PRIMARY KEY (id),
  CHECK ((actor = ANY (ARRAY['token'::text, 'sign-in'::text])))
);
create index operator_action_by_subject ON operator_action USING btree (subject, id DESC) WHERE (subject IS NOT NULL);

create table price_override (
  action text,
  micros bigint,
  set_at timestamp with time zone not null default now(),
  factor bigint,
  PRIMARY KEY (action),
  CHECK (((micros IS NULL) <> (factor IS NULL))),
  CHECK ((factor > 0)),
  CHECK ((micros > 0))
);

create table vendor_ending (
  name text,
  service text not null,
  id text,
  due_at timestamp with time zone not null default now(),
  tried_at timestamp with time zone,
  PRIMARY KEY (name)
);
create index vendor_ending_by_trial ON vendor_ending USING btree (service, tried_at);

create table kept_answer (
  id uuid,
  call_id uuid not null,
  action text not null,
  output text not null,
  PRIMARY KEY (id)
);

create table provider_key (
  provider text,
  sealed bytea not null,
  revision bigint not null,
  set_at timestamp with time zone not null default now(),
  PRIMARY KEY (provider),
  UNIQUE (revision)
);

create table provider_budget (
  provider text,
  calls_per_day bigint,
  cost_per_day bigint,
  set_at timestamp with time zone not null default now(),
  PRIMARY KEY (provider),
  CHECK ((calls_per_day >= 0)),
  CHECK (((calls_per_day IS NOT NULL) OR (cost_per_day IS NOT NULL))),
  CHECK ((cost_per_day >= 0))
);

create table canary_check (
  id uuid,
  provider text not null,
  action text not null,
  asked_by text not null,
  gateway_id integer not null,
  started_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  state text,
  says text,
  fix text,
  drift json,
  form json,
  exchanges json,
  cost bigint,
  took_ms integer,
  accepted_at timestamp with time zone,
  PRIMARY KEY (id),
  CHECK ((asked_by = ANY (ARRAY['operator'::text, 'schedule'::text]))),
  CHECK (((ended_at IS NULL) = (state IS NULL))),
  CHECK ((cost >= 0)),
  CHECK ((state = ANY (ARRAY['well'::text, 'drifted'::text, 'failed'::text, 'unclear'::text])))
);
create index canary_check_by_provider ON canary_check USING btree (provider, id DESC);
create unique index canary_check_running ON canary_check USING btree (provider) WHERE (ended_at IS NULL);

create table canary_form (
  action text,
  form json not null,
  set_at timestamp with time zone not null default now(),
  PRIMARY KEY (action)
);
