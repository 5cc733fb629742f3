-- Mail to this address signs in as a key of the account, whose secret was thrown away.
create table sign_in_address (
  -- In lower case.
  address text primary key,
  key_id uuid not null unique references api_key,
  created_at timestamptz not null default now()
);

-- A link that was mailed to an address, which signs in to the account once its owner has opened the link.
create table address_confirmation (
  hash bytea primary key,
  address text not null,
  account_id uuid not null references account,
  expires_at timestamptz not null
);
create index address_confirmation_by_expiry on address_confirmation (expires_at);

-- The browser in which the link works. Null: in every one.
alter table sign_in_link add column browser_hash bytea;
