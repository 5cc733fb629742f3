-- A passkey signs in as a key of the account, whose secret was thrown away: its limits, last use and end are those of the key.
create table passkey (
  credential_id bytea primary key,
  key_id uuid not null unique references api_key,
  -- In the form of COSE (RFC 9052).
  public_key bytea not null,
  -- How often the authenticator has signed, if it counts. A lower count than before shows a copy.
  sign_count bigint not null,
  -- How browsers reach the authenticator.
  transports text[] not null,
  created_at timestamptz not null default now()
);

-- Challenges of passkeys are signed and not stored. Those that were answered are, so that an answer counts once.
create table used_challenge (
  hash bytea primary key,
  expires_at timestamptz not null
);
create index used_challenge_by_expiry on used_challenge (expires_at);
