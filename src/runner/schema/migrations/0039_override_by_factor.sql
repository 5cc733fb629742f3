-- Prices that are more than one amount are multiplied as a whole.
alter table price_override
  -- The price of a call or of a unit.
  alter column micros drop not null,
  -- In millionths.
  add column factor bigint check (factor > 0),
  add check ((micros is null) <> (factor is null));
