-- The tables of this room as its migrations leave them, where their columns are explained.

-- Written by the tests with UPDATE_SNAPSHOTS=1; do not edit.

create table saved_plan (
  name text,
  revision bigint not null,
  document json not null,
  saved_at timestamp with time zone not null default now(),
  account_id uuid default ((document ->> 'account_id'::text))::uuid,
  PRIMARY KEY (name),
  UNIQUE (revision)
);
create index saved_plan_by_account ON saved_plan USING btree (account_id);

create table saved_plan_revision (
  name text,
  revision bigint,
  document json not null,
  saved_at timestamp with time zone not null,
  PRIMARY KEY (name, revision)
);
