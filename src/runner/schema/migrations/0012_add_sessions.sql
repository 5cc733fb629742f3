-- Metered sessions: resources that stay open between calls and are charged by their use. While a session is in use, one open
-- call, `call_id`, holds what it may cost for the next while.
create table session (
  -- Of the call that created it.
  id uuid primary key,
  account_id uuid not null references account (id),
  -- The key that created it. Null for a wallet.
  key_id uuid,
  -- The action that created it: `sess_a/create_session`.
  action text not null,
  -- opening, open, suspended; closing: the meter has stopped, and the resource is still to be removed; closed.
  state text not null default 'opening' check (state in ('opening', 'open', 'suspended', 'closing', 'closed')),
  -- The call that holds money for it. Null while it is suspended, and once it is settled.
  call_id uuid,
  -- The gateway that owns the resource.
  gateway_id integer not null,
  -- The machine that has the resource. Null where every gateway reaches it.
  machine text,
  -- Micro-dollars for an hour of each meter, as they were when it was created.
  tariff jsonb not null,
  -- What a second adds to each meter, at most.
  per_second jsonb not null default '{}',
  -- Seconds by meter, at `last_seen_at`.
  used jsonb not null default '{}',
  -- What is held ahead of its use.
  reserve bigint not null check (reserve > 0),
  -- The most that it may cost, by its caller's max_cost_cents.
  ceiling bigint,
  -- What its ended calls were charged.
  settled bigint not null default 0 check (settled >= 0),
  -- By which a gateway adopts or discards the resource: encrypted JSON.
  resource bytea,
  close_reason text check (close_reason in ('closed', 'balance', 'lifetime', 'idle', 'lost', 'gateway', 'operator', 'failed')),
  created_at timestamptz not null,
  -- By the clock of its gateway.
  last_seen_at timestamptz not null,
  last_used_at timestamptz not null,
  ended_at timestamptz,
  check ((state = 'closed') <= (resource is null and ended_at is not null))
);
create index session_by_account on session (account_id, id desc);
create index session_live on session (gateway_id) where state <> 'closed';
create index session_by_call on session (call_id) where call_id is not null;
