-- The tables of this room as its migrations leave them, where their columns are explained.

-- Written by the tests with UPDATE_SNAPSHOTS=1; do not edit.

create table balance (
  account_id uuid,
  available bigint not null default 0,
  held bigint not null default 0,
  in_flight integer not null default 0,
  grants_expire_at timestamp with time zone,
  PRIMARY KEY (account_id),
  FOREIGN KEY (account_id) REFERENCES account(id),
  CHECK ((available >= 0)),
  CHECK ((held >= 0)),
  CHECK ((in_flight >= 0))
) with (fillfactor=70);
create index balance_with_grants ON balance USING btree (grants_expire_at) WHERE (grants_expire_at IS NOT NULL);

create table key_spend (
  key_id uuid,
  period text,
  starts date,
  micros bigint not null,
  PRIMARY KEY (key_id, period, starts),
  FOREIGN KEY (key_id) REFERENCES api_key(id),
  CHECK ((micros >= 0)),
  CHECK ((period = ANY (ARRAY['day'::text, 'month'::text])))
);
create index key_spend_by_time ON key_spend USING btree (starts);

create table call (
  id uuid,
  account_id uuid not null,
  key_id uuid,
  payment_id uuid,
  action text not null,
  inference boolean not null default false,
  state text not null default 'held'::text,
  idempotency_key text,
  request_digest bytea,
  held bigint not null,
  charged bigint not null default 0,
  cost bigint,
  available_after bigint,
  error text,
  message text,
  output text,
  timeline jsonb,
  gateway_id integer not null,
  on_lease boolean not null default false,
  job boolean not null default false,
  input text,
  progress jsonb,
  started_at timestamp with time zone,
  created_at timestamp with time zone not null default now(),
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  cancelled text,
  within_free_calls boolean not null default false,
  at_work boolean not null default false,
  PRIMARY KEY (id),
  CHECK ((cancelled = ANY (ARRAY['unbegun'::text, 'begun'::text]))),
  CHECK (((charged >= 0) AND (charged <= held))),
  CHECK ((held >= 0)),
  CHECK ((state = ANY (ARRAY['held'::text, 'settled'::text, 'voided'::text])))
) with (fillfactor=85);
create index call_by_account ON call USING btree (account_id, id) WHERE (state <> 'held'::text);
create index call_by_key ON call USING btree (key_id, id) WHERE ((key_id IS NOT NULL) AND (state <> 'held'::text));
create index call_by_payment ON call USING btree (payment_id) WHERE (payment_id IS NOT NULL);
create index call_failed ON call USING btree (id) WHERE (state = 'voided'::text);
create index call_free ON call USING btree (account_id, id) WHERE ((held = 0) AND (NOT job) AND ((idempotency_key IS NOT NULL) OR (state = 'voided'::text)));
create index call_job ON call USING btree (account_id, id) WHERE job;
create unique index call_once ON call USING btree (account_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);
create index call_open ON call USING btree (expires_at) WHERE (state = 'held'::text);
create index call_open_job ON call USING btree (account_id, action) WHERE ((state = 'held'::text) AND job);

create table transfer (
  id bigint generated always as identity,
  call_id uuid,
  debit uuid not null,
  credit uuid not null,
  amount bigint not null,
  kind text not null,
  reason text,
  created_at timestamp with time zone not null default now(),
  PRIMARY KEY (id),
  CHECK ((amount > 0)),
  CHECK ((credit <> debit)),
  CHECK ((kind = ANY (ARRAY['charge'::text, 'credit'::text, 'debit'::text, 'topup'::text, 'provisional_credit'::text, 'provisional_credit_end'::text, 'payment'::text, 'payment_lost'::text, 'refund_due'::text, 'refund'::text, 'refund_cancelled'::text, 'refund_reopened'::text, 'deposit'::text, 'deposit_returned'::text, 'deposit_captured'::text, 'deposit_lost'::text, 'voucher_credit'::text, 'voucher_credit_end'::text, 'credit_expired'::text]))) NOT VALID
);
create index transfer_by_time ON transfer USING brin (created_at);
create unique index transfer_charges_once ON transfer USING btree (call_id) WHERE (kind = 'charge'::text);
create index transfer_of_account ON transfer USING btree ((
CASE
    WHEN (credit < '00000000-0000-7000-8001-000000000000'::uuid) THEN debit
    ELSE credit
END), created_at);
create unique index transfer_of_voucher_once ON transfer USING btree (call_id, kind) WHERE (kind = ANY (ARRAY['voucher_credit'::text, 'voucher_credit_end'::text]));
create unique index transfer_of_wallet_once ON transfer USING btree (call_id, kind) WHERE (kind = ANY (ARRAY['provisional_credit'::text, 'provisional_credit_end'::text, 'payment'::text, 'refund_due'::text, 'topup'::text, 'payment_lost'::text, 'refund_cancelled'::text]));

create table statement_entry (
  id uuid,
  account_id uuid not null,
  transfer_id bigint not null,
  PRIMARY KEY (id),
  FOREIGN KEY (transfer_id) REFERENCES transfer(id)
);
create index statement_entry_by_account ON statement_entry USING btree (account_id, id);

create table inference_cap (
  micros_max bigint not null,
  only_row boolean default true,
  PRIMARY KEY (only_row),
  CHECK ((micros_max >= 0)),
  CHECK (only_row)
);

create table inference_day (
  account_id uuid,
  day date,
  spent bigint not null default 0,
  held bigint not null default 0,
  PRIMARY KEY (account_id, day),
  FOREIGN KEY (account_id) REFERENCES account(id),
  CHECK ((held >= 0)),
  CHECK ((spent >= 0))
) with (fillfactor=70);

create table lease (
  id uuid,
  gateway_id integer not null,
  account_id uuid not null,
  key_id uuid,
  action text not null,
  day date not null default ((now() AT TIME ZONE 'utc'::text))::date,
  held bigint not null default 0,
  places integer not null default 0,
  turn integer not null default 0,
  granted bigint not null default 0,
  granted_places integer not null default 0,
  created_at timestamp with time zone not null default now(),
  inference boolean not null default true,
  reserved bigint,
  PRIMARY KEY (id),
  CHECK ((held >= 0)),
  CHECK ((places >= 0))
) with (fillfactor=70);
create index lease_by_account ON lease USING btree (account_id);
create index lease_by_key ON lease USING btree (key_id) WHERE (key_id IS NOT NULL);

create table payment (
  id uuid,
  claim_key text not null,
  rail text not null,
  account_id uuid not null,
  payer text not null,
  micros bigint not null,
  action text not null,
  request_digest bytea not null,
  call_id uuid not null,
  state text not null default 'claimed'::text,
  challenge_id text,
  credential text,
  raw_tx text,
  tx_hash text,
  gas_nonce bigint,
  signed_at_block bigint,
  expires_at timestamp with time zone not null,
  charged bigint,
  dust_micros bigint not null,
  topup_account_id uuid,
  finality text,
  settled_block bigint,
  times_missing integer not null default 0,
  dead_since_block bigint,
  next_check_at timestamp with time zone,
  error text,
  created_at timestamp with time zone not null default now(),
  updated_at timestamp with time zone not null default now(),
  settles_actual boolean not null default false,
  settles bigint,
  channel_id text,
  PRIMARY KEY (id),
  FOREIGN KEY (account_id) REFERENCES account(id),
  UNIQUE (claim_key),
  CHECK ((finality = ANY (ARRAY['open'::text, 'final'::text, 'lost'::text]))),
  CHECK ((micros > 0)),
  CHECK ((settles > 0)),
  CHECK ((state = ANY (ARRAY['claimed'::text, 'owed'::text, 'settling'::text, 'settled'::text, 'released'::text, 'dead'::text])))
);
create index payment_by_hash ON payment USING btree (tx_hash) WHERE (tx_hash IS NOT NULL);
create index payment_lost ON payment USING btree (updated_at) WHERE (finality = 'lost'::text);
create index payment_not_final ON payment USING btree (next_check_at) WHERE (finality = 'open'::text);
create index payment_open ON payment USING btree (updated_at) WHERE (state = ANY (ARRAY['owed'::text, 'settling'::text]));
create index payment_top_up ON payment USING btree (topup_account_id) WHERE (topup_account_id IS NOT NULL);

create table refund (
  id uuid,
  payment_id uuid not null,
  call_id uuid not null,
  rail text not null,
  payee text not null,
  micros bigint not null,
  state text not null default 'due'::text,
  raw_tx text,
  tx_hash text,
  gas_nonce bigint,
  signed_at_block bigint,
  valid_until timestamp with time zone,
  attempts integer not null default 0,
  next_attempt_at timestamp with time zone not null default now(),
  finality text,
  settled_block bigint,
  times_missing integer not null default 0,
  next_check_at timestamp with time zone,
  error text,
  created_at timestamp with time zone not null default now(),
  confirmed_at timestamp with time zone,
  PRIMARY KEY (id),
  UNIQUE (call_id),
  CHECK ((finality = ANY (ARRAY['open'::text, 'final'::text]))),
  CHECK ((micros > 0)),
  FOREIGN KEY (payment_id) REFERENCES payment(id),
  CHECK ((state = ANY (ARRAY['due'::text, 'signed'::text, 'confirmed'::text, 'cancelled'::text])))
);
create index refund_by_hash ON refund USING btree (tx_hash) WHERE (tx_hash IS NOT NULL);
create index refund_not_final ON refund USING btree (next_check_at) WHERE (finality = 'open'::text);
create index refund_open ON refund USING btree (next_attempt_at) WHERE (state = ANY (ARRAY['due'::text, 'signed'::text]));

create table gas_nonce (
  chain_id bigint,
  address text,
  next bigint not null,
  PRIMARY KEY (chain_id, address)
);

create table wallet_strike (
  account_id uuid,
  strikes integer not null default 1,
  until timestamp with time zone not null,
  PRIMARY KEY (account_id),
  FOREIGN KEY (account_id) REFERENCES account(id)
);

create table wallet_proof (
  id text,
  expires_at timestamp with time zone not null,
  PRIMARY KEY (id)
);
create index wallet_proof_expiry ON wallet_proof USING btree (expires_at);

create table usage_event (
  quarter timestamp with time zone not null,
  account_id uuid not null,
  key_id uuid not null,
  action text not null,
  error text not null,
  calls integer not null,
  charged bigint not null,
  refunded bigint not null,
  cost bigint,
  duration_ms bigint,
  charged_at_catalog bigint not null default 0
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000);

create table usage_of_account_by_hour (
  account_id uuid,
  since timestamp with time zone,
  action text,
  key_id uuid,
  calls bigint not null,
  failed_calls bigint not null,
  charged bigint not null,
  refunded bigint not null,
  cost bigint not null,
  calls_with_cost bigint not null,
  PRIMARY KEY (account_id, since, action, key_id)
);

create table usage_of_account_by_quarter (
  account_id uuid,
  since timestamp with time zone,
  action text,
  key_id uuid,
  calls bigint not null,
  failed_calls bigint not null,
  charged bigint not null,
  refunded bigint not null,
  cost bigint not null,
  calls_with_cost bigint not null,
  PRIMARY KEY (account_id, since, action, key_id)
);

create table usage_of_action_by_hour (
  since timestamp with time zone,
  action text,
  error text,
  calls bigint not null,
  charged bigint not null,
  refunded bigint not null,
  cost bigint not null,
  calls_with_cost bigint not null,
  charged_calls bigint not null default 0,
  cost_max bigint,
  charged_at_catalog bigint not null default 0,
  cost_share_max bigint,
  PRIMARY KEY (since, action, error)
);

create table usage_of_action_by_quarter (
  since timestamp with time zone,
  action text,
  error text,
  calls bigint not null,
  charged bigint not null,
  refunded bigint not null,
  cost bigint not null,
  calls_with_cost bigint not null,
  charged_calls bigint not null default 0,
  cost_max bigint,
  charged_at_catalog bigint not null default 0,
  cost_share_max bigint,
  PRIMARY KEY (since, action, error)
);

create table duration_of_action (
  day date,
  action text,
  class integer,
  calls bigint not null,
  PRIMARY KEY (day, action, class)
);

create table price_change (
  action text,
  changed_at timestamp with time zone,
  price bigint not null,
  catalog_price bigint not null,
  PRIMARY KEY (action, changed_at),
  CHECK ((catalog_price > 0)),
  CHECK ((price > 0))
);

create table effect (
  id bigint generated always as identity,
  call_id uuid not null,
  kind text not null,
  subject text not null,
  place text not null,
  details jsonb,
  closes boolean not null default false,
  PRIMARY KEY (id)
);
create index effect_by_call ON effect USING btree (call_id);
create index effect_by_thing ON effect USING btree (kind, subject);

create table uncharged_day (
  account_id uuid,
  day date,
  micros bigint not null,
  key_id uuid default '00000000-0000-0000-0000-000000000000'::uuid,
  PRIMARY KEY (account_id, day, key_id),
  FOREIGN KEY (account_id) REFERENCES account(id),
  CHECK ((micros >= 0))
) with (fillfactor=70);

create table uncharged_cap (
  micros_max bigint not null,
  only_row boolean default true,
  PRIMARY KEY (only_row),
  CHECK ((micros_max >= 0)),
  CHECK (only_row)
);

create table call_report (
  id bigint generated always as identity,
  call_id uuid not null,
  account_id uuid not null,
  key_id uuid,
  action text not null,
  state text not null,
  charged bigint not null,
  ended_at timestamp with time zone not null default clock_timestamp(),
  PRIMARY KEY (id)
) with (autovacuum_vacuum_scale_factor=0, autovacuum_vacuum_threshold=2000);

create table call_reports_wanted (
  until timestamp with time zone not null,
  only_row boolean default true,
  PRIMARY KEY (only_row),
  CHECK (only_row)
);

create table channel (
  id text,
  rail text not null,
  account_id uuid not null,
  payer text not null,
  descriptor jsonb not null,
  state text not null default 'opening'::text,
  deposit bigint not null,
  accepted bigint not null default 0,
  signature text,
  spent bigint not null default 0,
  held bigint not null default 0,
  closes boolean not null default false,
  captured bigint,
  raw_tx text,
  tx_hash text,
  valid_until timestamp with time zone,
  settled_block bigint,
  error text,
  created_at timestamp with time zone not null default now(),
  used_at timestamp with time zone not null default now(),
  closed_at timestamp with time zone,
  next_check_at timestamp with time zone not null default now(),
  PRIMARY KEY (id),
  FOREIGN KEY (account_id) REFERENCES account(id),
  CHECK ((captured >= 0)),
  CHECK ((accepted <= deposit)),
  CHECK (((spent + held) <= accepted)),
  CHECK ((deposit > 0)),
  CHECK ((held >= 0)),
  CHECK ((spent >= 0)),
  CHECK ((state = ANY (ARRAY['opening'::text, 'open'::text, 'closing'::text, 'closed'::text, 'failed'::text])))
);
create index channel_by_account ON channel USING btree (account_id);
create index channel_not_closed ON channel USING btree (next_check_at) WHERE (state = ANY (ARRAY['opening'::text, 'open'::text, 'closing'::text]));

create table posted_day (
  account_id uuid,
  day date,
  kind text,
  action text,
  postings bigint not null,
  amount bigint not null,
  PRIMARY KEY (account_id, day, kind, action)
);

create table posted_until (
  account_id uuid,
  day date not null,
  PRIMARY KEY (account_id)
);

create table credit_grant (
  transfer_id bigint,
  account_id uuid not null,
  amount bigint not null,
  spent bigint not null default 0,
  returned bigint not null default 0,
  expires_at timestamp with time zone not null,
  PRIMARY KEY (transfer_id),
  FOREIGN KEY (account_id) REFERENCES account(id),
  CHECK ((amount > 0)),
  CHECK (((spent + returned) <= amount)),
  CHECK ((returned >= 0)),
  CHECK ((spent >= 0)),
  FOREIGN KEY (transfer_id) REFERENCES transfer(id)
);
create index credit_grant_by_account ON credit_grant USING btree (account_id, expires_at);
create index credit_grant_open ON credit_grant USING btree (account_id, expires_at) WHERE ((spent + returned) < amount);

create table group_price (
  action text,
  price_group uuid,
  starts_at timestamp with time zone,
  micros bigint,
  factor bigint,
  catalog_price bigint not null,
  set_at timestamp with time zone not null default now(),
  PRIMARY KEY (action, price_group, starts_at),
  CHECK ((catalog_price > 0)),
  CHECK (((micros IS NULL) OR (factor IS NULL))),
  CHECK ((factor > 0)),
  CHECK ((micros > 0)),
  FOREIGN KEY (price_group) REFERENCES price_group(id)
);
create index group_price_by_group ON group_price USING btree (price_group, action, starts_at);

create table declared_cost (
  action text,
  starts_at timestamp with time zone,
  per_call bigint not null,
  per_unit bigint not null,
  set_at timestamp with time zone not null default now(),
  PRIMARY KEY (action, starts_at),
  CHECK ((per_call >= 0)),
  CHECK ((per_unit >= 0))
);

create table vendor_invoice (
  id uuid,
  provider text not null,
  since timestamp with time zone not null,
  until timestamp with time zone not null,
  micros bigint not null,
  shared_by text not null,
  note text,
  set_at timestamp with time zone not null default now(),
  PRIMARY KEY (id),
  CHECK ((since < until)),
  CHECK ((micros >= 0)),
  CHECK ((shared_by = ANY (ARRAY['calls'::text, 'units'::text])))
);
create index vendor_invoice_by_provider ON vendor_invoice USING btree (provider, since);

create table invoiced_cost (
  call_id uuid,
  invoice_id uuid not null,
  micros bigint not null,
  PRIMARY KEY (call_id),
  FOREIGN KEY (invoice_id) REFERENCES vendor_invoice(id) ON DELETE CASCADE,
  CHECK ((micros >= 0))
);
create index invoiced_cost_by_invoice ON invoiced_cost USING btree (invoice_id);

create table free_call_day (
  account_id uuid,
  action text,
  day date,
  calls integer not null,
  PRIMARY KEY (account_id, action, day),
  CHECK ((calls >= 0))
);
create index free_call_day_by_day ON free_call_day USING btree (day);

create table invoiced_step_cost (
  call_id uuid,
  action text,
  invoice_id uuid not null,
  micros bigint not null,
  PRIMARY KEY (call_id, action),
  FOREIGN KEY (invoice_id) REFERENCES vendor_invoice(id) ON DELETE CASCADE,
  CHECK ((micros >= 0))
);
create index invoiced_step_cost_by_invoice ON invoiced_step_cost USING btree (invoice_id);

create table gateway_process (
  number integer,
  place text,
  missing_since timestamp with time zone,
  PRIMARY KEY (number)
);

create table verified_until (
  only_row boolean default true,
  at timestamp with time zone not null,
  PRIMARY KEY (only_row),
  CHECK (only_row)
);

create table verified_sum (
  account_id uuid,
  amount bigint not null,
  PRIMARY KEY (account_id)
);
