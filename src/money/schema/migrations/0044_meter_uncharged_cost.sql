-- What calls that ended without a charge have cost the operator, by account and day (UTC). Written where a call ends, so all
-- gateways share it.
create table uncharged_day (
  account_id uuid not null references account,
  day date not null,
  micros bigint not null check (micros >= 0),
  primary key (account_id, day)
) with (fillfactor = 70);

-- The most that one account may cause in a day before its further calls are refused. Set by the gateway at its start.
create table uncharged_cap (
  micros_max bigint not null check (micros_max >= 0),
  only_row boolean primary key default true check (only_row)
);
insert into uncharged_cap values (1000000);
