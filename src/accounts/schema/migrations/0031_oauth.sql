-- A person who lets an OAuth client act for the account makes a key for it. The client never has the secret of this key: its
-- access tokens lead to it, so that limits, spending and revocation are those of keys.
alter table api_key add column client_id text;

-- What the authorization server remembers: clients that registered, requests that wait for a person, codes, grants and tokens.
create table oauth_record (
  -- Of the code, token or id that a client shows.
  hash bytea primary key,
  kind text not null,
  payload jsonb not null,
  -- The key that codes, grants and tokens lead to.
  key_id uuid references api_key,
  -- Ties codes and tokens to the grant whose end ends them.
  grant_id text,
  -- A code or a refresh token was used. It works once; a second use ends the grant.
  consumed_at timestamptz,
  expires_at timestamptz not null
);
create index oauth_record_by_key on oauth_record (key_id) where key_id is not null;
create index oauth_record_by_grant on oauth_record (grant_id) where grant_id is not null;
create index oauth_record_by_expiry on oauth_record (expires_at);
