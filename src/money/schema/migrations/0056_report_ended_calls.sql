-- Hooks of plugins are told of every call that ends, also of one that no gateway process saw the end of.

-- Calls that have ended, until the hooks are told.
create table call_report (
  id bigint generated always as identity primary key,
  call_id uuid not null,
  account_id uuid not null,
  key_id uuid,
  action text not null,
  state text not null,
  charged bigint not null,
  ended_at timestamptz not null default clock_timestamp()
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- Until when ended calls are written down. Gateways with such hooks move it on while they live.
create table call_reports_wanted (
  until timestamptz not null,
  only_row boolean primary key default true check (only_row)
);
