-- Secrets that all gateways of one database must have in common, where the operator has set none: each was made by the first
-- gateway that needed it.
create table shared_secret (
  name text primary key,
  value text not null,
  created_at timestamptz not null default now()
);
