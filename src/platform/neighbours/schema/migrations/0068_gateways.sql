-- The gateways of this database. Each says every few seconds that it lives, so that a request for what it alone has can
-- be sent to it.
create table gateway (
  -- As its advisory lock names it.
  number integer primary key,
  -- The machine whose disk it uses.
  machine text not null,
  -- Where other gateways reach it. Null: they cannot.
  address text,
  seen_at timestamptz not null default now()
);
create index gateway_by_machine on gateway (machine, seen_at desc);
