-- The free calls that accounts have taken of an action on a day of UTC. A failed call takes none.
create table free_call_day (
  account_id uuid not null,
  action text not null,
  day date not null,
  calls integer not null check (calls >= 0),
  primary key (account_id, action, day)
);
create index free_call_day_by_day on free_call_day (day);

-- Until now sold APIs counted them, in a table of their own.
insert into free_call_day (account_id, action, day, calls) select account_id, action, day, calls from free_call;
