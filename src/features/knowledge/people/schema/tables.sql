-- The tables of this room as its migrations leave them, where their columns are explained.

-- Written by the tests with UPDATE_SNAPSHOTS=1; do not edit.

create table people_source (
  step text,
  field text,
  fills double precision not null,
  confirmations double precision not null,
  refusals double precision not null,
  spent_cents double precision not null,
  updated_at timestamp with time zone not null default now(),
  PRIMARY KEY (step, field)
);

create table people_miss (
  digest text,
  missed_at timestamp with time zone not null default now(),
  PRIMARY KEY (digest)
);
create index people_miss_by_time ON people_miss USING btree (missed_at);

create table people_uncovered (
  account_id text,
  day date default CURRENT_DATE,
  cents double precision not null,
  PRIMARY KEY (account_id, day)
);
