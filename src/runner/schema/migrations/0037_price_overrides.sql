-- The operator's own prices, in place of those of the catalog. Every gateway reads them again before it quotes.
create table price_override (
  -- `service/action`
  action text primary key,
  micros bigint not null check (micros > 0),
  set_at timestamptz not null default now()
);
