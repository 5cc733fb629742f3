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
  PRIMARY KEY (namespace, kind, id, account_id, key_id)
);
create index vendor_handle_by_owner ON vendor_handle USING btree (account_id, namespace, kind, created_at DESC);
create index vendor_handle_by_time ON vendor_handle USING btree (created_at);

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
