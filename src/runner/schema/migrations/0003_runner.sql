-- Finished parts of a job: a worker that takes the job over does not repeat them.
create table checkpoint (
  call_id uuid not null,
  name text not null,
  value text not null,
  primary key (call_id, name)
);

-- The ids that vendors issued for paid work: crawls, tasks, searches. Only the payer may ask about them. A vendor that does
-- the same work for two callers may give both the same id: then both own it.
create table vendor_handle (
  account_id uuid not null,
  namespace text not null,
  kind text not null,
  id text not null,
  -- A limited key does not see ids issued to another key of its account. Zero: issued to a wallet.
  key_id uuid not null default '00000000-0000-0000-0000-000000000000',
  created_at timestamptz not null default now(),
  primary key (namespace, kind, id, account_id, key_id)
);
create index vendor_handle_by_owner on vendor_handle (account_id, namespace, kind, created_at desc);
create index vendor_handle_by_time on vendor_handle (created_at);

-- Orders that calls sent to sellers, written before they leave. Once an order has left, only its own call or the operator may
-- end that call: a bought thing must neither be given back nor bought again.
create table purchase (
  call_id uuid primary key,
  -- The idempotency key that the seller was given.
  reference uuid not null,
  gateway_id integer not null,
  -- Why the outcome is unknown; null while the order is under way and after a known outcome.
  doubt text,
  started_at timestamptz not null default now(),
  resolved_at timestamptz,
  resolution text check (resolution in ('charge', 'void')),
  note text
);
create index purchase_open on purchase (started_at) where resolved_at is null;

-- Payments of the operator's wallet to sellers, written before they leave, so that the operator can look them up on the chain.
create table seller_payment (
  call_id uuid not null references purchase,
  protocol text not null,
  payee text not null,
  micros bigint not null check (micros >= 0),
  -- The nonce of an authorization, or the hash of a transaction.
  chain_reference text not null,
  sent_at timestamptz not null default now(),
  -- When the seller answered, and its receipt.
  answered_at timestamptz,
  receipt text,
  primary key (call_id, chain_reference)
);

-- Requests other than calls that move money or issue a secret, by sender and Idempotency-Key. The answer is encrypted with a
-- key derived from the sender's credential, so the secrets in it are not stored in clear.
create table request_once (
  id bytea primary key,
  request_digest bytea not null,
  answer bytea not null,
  expires_at timestamptz not null
);
create index request_once_expiry on request_once (expires_at);

-- Vendor replies that do not fit the output schema of their action: kept some days for the operator.
create table misfit_reply (
  id uuid primary key,
  action text not null,
  -- The paid call; null for a free one.
  call_id uuid,
  -- What did not fit, in the words of the schema.
  misfits text not null,
  -- The exchanges of the call, newest last: method, path, status and the body, truncated, without the credential.
  replies jsonb not null,
  created_at timestamptz not null default now()
);
create index misfit_reply_by_time on misfit_reply (created_at);

-- How far each clean-up has come. The id of a call begins with its time, so a step reads the primary key from here on instead
-- of everything that earlier steps read.
create table retention (
  what text primary key,
  reached uuid not null
);
insert into retention values ('outputs', '00000000-0000-0000-0000-000000000000');
