-- Groups of accounts that have prices of their own. An account is in one group at most.
create table price_group (
  id uuid primary key,
  name text not null unique,
  created_at timestamptz not null default now()
);
alter table account add column price_group uuid references price_group;
create index account_in_group on account (price_group) where price_group is not null;
