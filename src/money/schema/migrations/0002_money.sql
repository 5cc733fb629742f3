-- The books. Every amount is an integer of micro-dollars. A transfer moves an amount from one account (debit) to another
-- (credit), so the books sum to zero by construction; the view `posting` shows the two legs.
--
-- Rows of `call` and `transfer` have no foreign keys: checking them costs a tenth of a paid call, only functions write
-- these rows, and `ledger_problem` proves that each one has its account.

-- A house account has no row in `balance`: calls would queue for a row that every one of them updates.
insert into account (id, kind, name) values
  ('00000000-0000-7000-8000-000000000001', 'house', 'revenue'),
  ('00000000-0000-7000-8000-000000000002', 'house', 'credit'),
  ('00000000-0000-7000-8000-000000000003', 'house', 'treasury'),
  ('00000000-0000-7000-8000-000000000004', 'house', 'provisional'),
  ('00000000-0000-7000-8000-000000000005', 'house', 'refunds'),
  ('00000000-0000-7000-8000-000000000006', 'house', 'losses');

create table balance (
  account_id uuid primary key references account,
  available bigint not null default 0 check (available >= 0),
  held bigint not null default 0 check (held >= 0),
  in_flight integer not null default 0 check (in_flight >= 0)
) with (fillfactor = 70);

-- What a key with a daily or monthly limit has spent or holds in the period that begins on `starts` (UTC).
create table key_spend (
  key_id uuid not null references api_key,
  period text not null check (period in ('day', 'month')),
  starts date not null,
  micros bigint not null check (micros >= 0),
  primary key (key_id, period, starts)
);
create index key_spend_by_time on key_spend (starts);

create table call (
  id uuid primary key,
  account_id uuid not null,
  -- Null for a wallet.
  key_id uuid,
  payment_id uuid,
  action text not null,
  -- Counts against the daily inference cap of its account.
  inference boolean not null default false,
  state text not null default 'held' check (state in ('held', 'settled', 'voided')),
  idempotency_key text,
  request_digest bytea,
  held bigint not null check (held >= 0),
  charged bigint not null default 0 check (charged between 0 and held),
  cost bigint,
  available_after bigint,
  error text,
  message text,
  output text,
  timeline jsonb,
  gateway_id integer not null,
  -- The call's amount and its place among the calls in flight belong to a spend lease, which already holds both in the balance.
  on_lease boolean not null default false,
  -- A job outlives its request: any gateway may work on it, and its input is kept until it ends.
  job boolean not null default false,
  input text,
  progress jsonb,
  started_at timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz
) with (fillfactor = 85);
create index call_open on call (expires_at) where state = 'held';
create index call_by_account on call (account_id, id desc);
create index call_by_key on call (key_id, id desc) where key_id is not null;
create index call_by_payment on call (payment_id) where payment_id is not null;
create index call_open_job on call (account_id, action) where state = 'held' and job;
create unique index call_once on call (account_id, idempotency_key) where idempotency_key is not null;
-- Free calls that claimed an idempotency key. Only they pay for this index.
create index call_free on call (account_id, id)
  where held = 0 and not job and (idempotency_key is not null or state = 'voided');

create table transfer (
  id bigint generated always as identity primary key,
  call_id uuid,
  debit uuid not null,
  credit uuid not null check (credit <> debit),
  amount bigint not null check (amount > 0),
  kind text not null check (kind in ('charge', 'credit', 'debit', 'topup', 'provisional_credit', 'provisional_credit_end',
    'payment', 'payment_lost', 'refund_due', 'refund', 'refund_cancelled', 'refund_reopened')),
  reason text,
  created_at timestamptz not null default now()
);
create unique index transfer_charges_once on transfer (call_id) where kind = 'charge';
-- `refund` and `refund_reopened` may repeat: the state of the refund makes each posting count once.
create unique index transfer_of_wallet_once on transfer (call_id, kind) where kind in ('provisional_credit',
  'provisional_credit_end', 'payment', 'refund_due', 'topup', 'payment_lost', 'refund_cancelled');

-- Balance changes other than calls, in the order of the account's statement. The amounts are in `transfer`; the ids sort
-- among those of calls.
create table statement_entry (
  id uuid primary key,
  account_id uuid not null,
  transfer_id bigint not null references transfer
);
create index statement_entry_by_account on statement_entry (account_id, id desc);

-- A gateway process holds the advisory lock (hashtext('tollway.gateway'), its number) for as long as it lives.
create sequence gateway_number as integer;

-- The inference that one account may use a day. One row; the gateway writes its setting here when it starts.
create table inference_cap (
  micros_max bigint not null check (micros_max >= 0),
  only_row boolean primary key default true check (only_row)
);
insert into inference_cap values (10000000);

-- The inference that each account has spent on a day (UTC), and the most that its open calls may still cost. Spent, held and
-- the next hold together never exceed the cap, because each hold locks the account's balance row.
create table inference_day (
  account_id uuid not null references account,
  day date not null,
  spent bigint not null default 0 check (spent >= 0),
  held bigint not null default 0 check (held >= 0),
  primary key (account_id, day)
) with (fillfactor = 70);

-- A spend lease lets one gateway run the chats of an account without a database round trip for each. It holds an amount and
-- places among the calls in flight; the gateway reserves from both in memory, and writes ended chats and their charges in
-- batches. The total cost of its chats is therefore held before any of them is sent, and what a stopped gateway has not written
-- returns to the caller.
--
-- Every change of a lease locks the account's balance row first.
create table lease (
  id uuid primary key,
  gateway_id integer not null,
  account_id uuid not null,
  -- The key with limits whose calls it takes; null where it takes those of all keys without limits.
  key_id uuid,
  action text not null,
  -- The day (UTC) whose inference it spends.
  day date not null default (now() at time zone 'utc')::date,
  held bigint not null default 0 check (held >= 0),
  places integer not null default 0 check (places >= 0),
  -- The number of its latest turn, and the grant of that turn: a turn without a reply is sent again.
  turn integer not null default 0,
  granted bigint not null default 0,
  granted_places integer not null default 0
) with (fillfactor = 70);
create index lease_by_key on lease (key_id) where key_id is not null;

-- One row for each signed payment, kept for ever: it makes the payment count once.
create table payment (
  id uuid primary key,
  -- What the chain lets happen once; never the signature, which has several valid forms.
  claim_key text not null unique,
  rail text not null,
  account_id uuid not null references account,
  payer text not null,
  micros bigint not null check (micros > 0),
  action text not null,
  request_digest bytea not null,
  call_id uuid not null,
  -- claimed: its call runs. owed: it will be settled, nothing is sent yet. settling: it may be on the chain. settled: it is
  -- on the chain. released: the call failed before that, and the payment may be used again. dead: it can never be on the
  -- chain.
  state text not null default 'claimed' check (state in ('claimed', 'owed', 'settling', 'settled', 'released', 'dead')),
  -- The challenge that it answers, known to its payer alone; null where the payer echoed none.
  challenge_id text,
  -- The signed text; deleted once the payment is final, lost, released or dead.
  credential text,
  raw_tx text,
  -- One transaction may carry several x402 payments, so this is not unique.
  tx_hash text,
  gas_nonce bigint,
  -- The head of the chain when it was signed: the search for its traces starts there.
  signed_at_block bigint,
  -- Chain time after which it cannot be settled any more.
  expires_at timestamptz not null,
  -- The charge of its call once the payment is settled; null until the answer is stored.
  charged bigint,
  -- A smaller remainder is not worth a transaction of its own.
  dust_micros bigint not null,
  -- The account that this payment tops up.
  topup_account_id uuid,
  -- open: a reorganisation may still remove its block. Null: not settled yet.
  finality text check (finality in ('open', 'final', 'lost')),
  settled_block bigint,
  -- How often in a row it was missing on the chain, and the head at which it was first found impossible.
  times_missing integer not null default 0,
  dead_since_block bigint,
  next_check_at timestamptz,
  error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index payment_open on payment (updated_at) where state in ('owed', 'settling');
create index payment_not_final on payment (next_check_at) where finality = 'open';
create index payment_lost on payment (updated_at) where finality = 'lost';
create index payment_by_hash on payment (tx_hash) where tx_hash is not null;

create table refund (
  id uuid primary key,
  payment_id uuid not null references payment,
  call_id uuid not null unique,
  rail text not null,
  payee text not null,
  micros bigint not null check (micros > 0),
  state text not null default 'due' check (state in ('due', 'signed', 'confirmed', 'cancelled')),
  raw_tx text,
  tx_hash text,
  gas_nonce bigint,
  -- The head of the chain when the first transaction was signed.
  signed_at_block bigint,
  -- Chain time after which the signed transaction cannot be mined any more, so that another may be signed.
  valid_until timestamptz,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  finality text check (finality in ('open', 'final')),
  settled_block bigint,
  times_missing integer not null default 0,
  next_check_at timestamptz,
  error text,
  created_at timestamptz not null default now(),
  confirmed_at timestamptz
);
create index refund_open on refund (next_attempt_at) where state in ('due', 'signed');
create index refund_not_final on refund (next_check_at) where finality = 'open';
create index refund_by_hash on refund (tx_hash) where tx_hash is not null;

-- The next transaction number of a key that pays for gas.
create table gas_nonce (
  chain_id bigint not null,
  address text not null,
  next bigint not null,
  primary key (chain_id, address)
);

-- A wallet whose payment failed after its call had run pays before its calls run, until then.
create table wallet_strike (
  account_id uuid primary key references account,
  strikes integer not null default 1,
  until timestamptz not null
);

-- Ownership proofs of wallets that were used: each counts once.
create table wallet_proof (
  id text primary key,
  expires_at timestamptz not null
);
create index wallet_proof_expiry on wallet_proof (expires_at);
