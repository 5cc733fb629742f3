-- The tables of this room as its migrations leave them, where their columns are explained.

-- Written by the tests with UPDATE_SNAPSHOTS=1; do not edit.

create table shared_secret (
  name text,
  value text,
  created_at timestamp with time zone not null default now(),
  sealed bytea,
  PRIMARY KEY (name),
  CHECK (((value IS NULL) <> (sealed IS NULL)))
);
