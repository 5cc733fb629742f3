-- The tables of this room as its migrations leave them, where their columns are explained.

-- Written by the tests with UPDATE_SNAPSHOTS=1; do not edit.

create table sold_api (
  name text,
  revision bigint not null,
  document json not null,
  saved_at timestamp with time zone not null default now(),
  PRIMARY KEY (name),
  UNIQUE (revision)
);

create table sold_api_revision (
  name text,
  revision bigint,
  document json not null,
  saved_at timestamp with time zone not null,
  PRIMARY KEY (name, revision)
);

create table free_call (
  account_id uuid,
  action text,
  day date,
  calls integer not null,
  PRIMARY KEY (account_id, action, day),
  CHECK ((calls >= 0))
);
create index free_call_by_day ON free_call USING btree (day);
