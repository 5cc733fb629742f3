-- Browsers that callers have paid for: those of this machine, and those of the vendor. The caller owns the id as a vendor_handle.
create table browser_session (
  id text primary key,
  account_id uuid not null,
  -- The gateway that runs it. Null at the vendor.
  gateway_id integer,
  keep_alive boolean not null default false,
  -- The country of its proxy.
  country text,
  paid_minutes integer not null check (paid_minutes > 0),
  started_at timestamptz not null,
  -- The end of the minutes. Without an outcome the session is active until then, and expired from then on.
  expires_at timestamptz not null,
  ended_at timestamptz,
  outcome text check (outcome in ('released', 'expired')),
  check ((ended_at is null) = (outcome is null))
);
create index browser_session_open on browser_session (account_id) where ended_at is null;
create index browser_session_due on browser_session (expires_at) where ended_at is null;
create index browser_session_by_end on browser_session (ended_at);
