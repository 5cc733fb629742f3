-- What an account's jobs have cost at vendors beyond what they charged, by day. A negative amount is a surplus.
create table people_uncovered (
  account_id text not null,
  day date not null default current_date,
  cents double precision not null,
  primary key (account_id, day)
);
