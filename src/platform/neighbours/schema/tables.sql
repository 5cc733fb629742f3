-- The tables of this room as its migrations leave them, where their columns are explained.

-- Written by the tests with UPDATE_SNAPSHOTS=1; do not edit.

create table gateway (
  number integer,
  machine text not null,
  address text,
  seen_at timestamp with time zone not null default now(),
  PRIMARY KEY (number)
);
create index gateway_by_machine ON gateway USING btree (machine, seen_at DESC);
