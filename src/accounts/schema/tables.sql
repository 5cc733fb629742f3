-- The tables of this room as its migrations leave them, where their columns are explained.

-- Written by the tests with UPDATE_SNAPSHOTS=1; do not edit.

create table account (
  id uuid,
  kind text not null,
  name text,
  owner_email text,
  claim_hash bytea,
  claimed_at timestamp with time zone,
  wallet text,
  frozen_at timestamp with time zone,
  frozen_reason text,
  created_at timestamp with time zone not null default now(),
  price_group uuid,
  PRIMARY KEY (id),
  UNIQUE (claim_hash),
  CHECK ((kind = ANY (ARRAY['caller'::text, 'house'::text, 'wallet'::text]))),
  FOREIGN KEY (price_group) REFERENCES price_group(id),
  UNIQUE (wallet)
);
create index account_in_group ON account USING btree (price_group) WHERE (price_group IS NOT NULL);

create table api_key (
  id uuid,
  account_id uuid not null,
  hash bytea not null,
  prefix text not null,
  name text,
  call_micros_max bigint,
  day_micros_max bigint,
  month_micros_max bigint,
  actions text[],
  expires_at timestamp with time zone,
  revoked_at timestamp with time zone,
  created_by uuid,
  last_used_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  client_id text,
  stores_responses boolean,
  models text[],
  requests_per_minute integer,
  tokens_per_minute integer,
  PRIMARY KEY (id),
  FOREIGN KEY (account_id) REFERENCES account(id),
  FOREIGN KEY (created_by) REFERENCES api_key(id),
  UNIQUE (hash),
  CHECK ((requests_per_minute > 0)),
  CHECK ((tokens_per_minute > 0))
);
create index api_key_by_account ON api_key USING btree (account_id);

create table sign_in (
  hash bytea,
  is_operator boolean not null,
  key_id uuid,
  expires_at timestamp with time zone not null,
  created_at timestamp with time zone not null default now(),
  operator_proof bytea,
  PRIMARY KEY (hash),
  FOREIGN KEY (key_id) REFERENCES api_key(id)
);
create index sign_in_by_expiry ON sign_in USING btree (expires_at);
create index sign_in_by_key ON sign_in USING btree (key_id);

create table sign_in_link (
  hash bytea,
  is_operator boolean not null,
  key_id uuid,
  expires_at timestamp with time zone not null,
  browser_hash bytea,
  operator_proof bytea,
  PRIMARY KEY (hash),
  FOREIGN KEY (key_id) REFERENCES api_key(id)
);
create index sign_in_link_by_key ON sign_in_link USING btree (key_id);

create table oauth_record (
  hash bytea,
  kind text not null,
  payload jsonb not null,
  key_id uuid,
  grant_id text,
  consumed_at timestamp with time zone,
  expires_at timestamp with time zone not null,
  PRIMARY KEY (hash),
  FOREIGN KEY (key_id) REFERENCES api_key(id)
);
create index oauth_record_by_expiry ON oauth_record USING btree (expires_at);
create index oauth_record_by_grant ON oauth_record USING btree (grant_id) WHERE (grant_id IS NOT NULL);
create index oauth_record_by_key ON oauth_record USING btree (key_id) WHERE (key_id IS NOT NULL);

create table attempt_window (
  hash bytea,
  attempts integer not null,
  ends_at timestamp with time zone not null,
  PRIMARY KEY (hash)
);
create index attempt_window_by_end ON attempt_window USING btree (ends_at);

create table passkey (
  credential_id bytea,
  key_id uuid not null,
  public_key bytea not null,
  sign_count bigint not null,
  transports text[] not null,
  created_at timestamp with time zone not null default now(),
  PRIMARY KEY (credential_id),
  FOREIGN KEY (key_id) REFERENCES api_key(id),
  UNIQUE (key_id)
);

create table used_challenge (
  hash bytea,
  expires_at timestamp with time zone not null,
  PRIMARY KEY (hash)
);
create index used_challenge_by_expiry ON used_challenge USING btree (expires_at);

create table sign_in_address (
  address text,
  key_id uuid not null,
  created_at timestamp with time zone not null default now(),
  PRIMARY KEY (address),
  FOREIGN KEY (key_id) REFERENCES api_key(id),
  UNIQUE (key_id)
);

create table address_confirmation (
  hash bytea,
  address text not null,
  account_id uuid not null,
  expires_at timestamp with time zone not null,
  PRIMARY KEY (hash),
  FOREIGN KEY (account_id) REFERENCES account(id)
);
create index address_confirmation_by_expiry ON address_confirmation USING btree (expires_at);

create table price_group (
  id uuid,
  name text not null,
  created_at timestamp with time zone not null default now(),
  PRIMARY KEY (id),
  UNIQUE (name)
);

create table operator (
  account_id uuid,
  role text not null,
  created_at timestamp with time zone not null default now(),
  PRIMARY KEY (account_id),
  FOREIGN KEY (account_id) REFERENCES account(id),
  CHECK ((role = ANY (ARRAY['viewer'::text, 'support'::text, 'manager'::text, 'owner'::text])))
);

create table operator_key (
  key_id uuid,
  created_at timestamp with time zone not null default now(),
  PRIMARY KEY (key_id),
  FOREIGN KEY (key_id) REFERENCES api_key(id)
);
