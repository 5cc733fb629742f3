-- A person who operates the gateway beside the holder of ADMIN_TOKEN. The account is theirs alone, so that passkeys and
-- mailed links of the account are theirs too.
create table operator (
  account_id uuid primary key references account,
  -- What they may do: each role includes those before it.
  role text not null check (role in ('viewer', 'support', 'manager', 'owner')),
  created_at timestamptz not null default now()
);

-- Keys of an operator's account with which the person works as the operator: in scripts, or by a link that signs in.
-- Other API keys of the account only pay for calls.
create table operator_key (
  key_id uuid primary key references api_key,
  created_at timestamptz not null default now()
);
