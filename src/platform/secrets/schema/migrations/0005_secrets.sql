-- Secrets that all gateways of one database share, where the operator set none: the first gateway that needs one makes it.
create table shared_secret (
  name text primary key,
  value text not null,
  created_at timestamptz not null default now()
);
