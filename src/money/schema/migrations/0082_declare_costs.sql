-- What calls cost at vendors that do not report it in their replies.

-- What an action costs the operator from a time on, by their own word. Both may be zero.
create table declared_cost (
  action text,
  starts_at timestamptz,
  per_call bigint not null check (per_call >= 0),
  per_unit bigint not null check (per_unit >= 0),
  set_at timestamptz not null default now(),
  primary key (action, starts_at)
);

-- What a vendor has billed for the calls that began in [since, until).
create table vendor_invoice (
  id uuid primary key,
  provider text not null,
  since timestamptz not null,
  until timestamptz not null,
  micros bigint not null check (micros >= 0),
  -- In which proportion the calls share it.
  shared_by text not null check (shared_by in ('calls', 'units')),
  note text,
  set_at timestamptz not null default now(),
  check (since < until)
);
create index vendor_invoice_by_provider on vendor_invoice (provider, since);

-- The share of each call. The shares of an invoice add up to its amount.
create table invoiced_cost (
  call_id uuid primary key,
  invoice_id uuid not null references vendor_invoice on delete cascade,
  micros bigint not null check (micros >= 0)
);
create index invoiced_cost_by_invoice on invoiced_cost (invoice_id);
