-- What each key has caused without a charge. Calls of wallets, and the counts until now, have no key.
alter table uncharged_day
  add key_id uuid not null default '00000000-0000-0000-0000-000000000000',
  drop constraint uncharged_day_pkey,
  add primary key (account_id, day, key_id);
