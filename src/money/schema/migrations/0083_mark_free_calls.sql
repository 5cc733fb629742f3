-- A call that is free only because its account has free calls left that day. Its row is kept like that of a paid call.
alter table call add column within_free_calls boolean not null default false;
