-- Prices of groups of accounts. Of the rows of a group and an action, the latest that has started is in force.
create table group_price (
  action text,
  price_group uuid not null references price_group,
  starts_at timestamptz,
  -- The price of a call or a unit, or a factor in millionths. Both null: the price of everyone, from then on.
  micros bigint check (micros > 0),
  factor bigint check (factor > 0),
  -- In the same terms, what the catalog had when this was set.
  catalog_price bigint not null check (catalog_price > 0),
  set_at timestamptz not null default now(),
  primary key (action, price_group, starts_at),
  check (micros is null or factor is null)
);
create index group_price_by_group on group_price (price_group, action, starts_at);
