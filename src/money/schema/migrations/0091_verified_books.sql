-- The books before this time have been verified. No row: they never were.
create table verified_until (
  only_row boolean primary key default true check (only_row),
  at timestamptz not null
);

-- The sums of the postings before that time, so that a verification need not read these again.
create table verified_sum (
  account_id uuid primary key,
  amount bigint not null
);
