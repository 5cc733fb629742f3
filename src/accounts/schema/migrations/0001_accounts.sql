-- An account owns calls and has a balance. `caller`: its callers show an API key. `wallet`: it pays each call on a chain.
-- `house`: one of the gateway's own accounts, such as revenue.
create table account (
  id uuid primary key,
  kind text not null check (kind in ('caller', 'house', 'wallet')),
  name text,
  owner_email text,
  claim_hash bytea unique,
  claimed_at timestamptz,
  -- The address in lower case, or `eip155:{chain}:{address}` of a contract, which may have another owner on another chain.
  wallet text unique,
  -- While an account is frozen its keys are refused.
  frozen_at timestamptz,
  frozen_reason text,
  created_at timestamptz not null default now()
);

create table api_key (
  id uuid primary key,
  account_id uuid not null references account,
  hash bytea not null unique,
  prefix text not null,
  name text,
  call_micros_max bigint,
  day_micros_max bigint,
  month_micros_max bigint,
  actions text[],
  expires_at timestamptz,
  revoked_at timestamptz,
  -- The key that issued it; null where the operator or the account's sign-up did.
  created_by uuid references api_key,
  -- To the minute: a key in use is updated once a minute.
  last_used_at timestamptz,
  created_at timestamptz not null default now()
);
create index api_key_by_account on api_key (account_id);
