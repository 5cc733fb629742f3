-- The tables of this room as its migrations leave them, where their columns are explained.

-- Written by the tests with UPDATE_SNAPSHOTS=1; do not edit.

create table backup_plan (
  id boolean default true,
  every_hours integer not null,
  kept integer not null,
  changed_at timestamp with time zone not null default now(),
  PRIMARY KEY (id),
  CHECK (((every_hours >= 0) AND (every_hours <= 744))),
  CHECK (id),
  CHECK (((kept >= 1) AND (kept <= 100)))
);

create table backup_run (
  id uuid,
  kind text not null,
  asked_by text not null,
  gateway_id integer not null,
  file text not null,
  started_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  problem text,
  bytes bigint,
  accounts bigint,
  postings bigint,
  PRIMARY KEY (id),
  CHECK ((asked_by = ANY (ARRAY['operator'::text, 'schedule'::text]))),
  CHECK ((kind = ANY (ARRAY['backup'::text, 'restore-test'::text])))
);
create index backup_run_by_kind ON backup_run USING btree (kind, id DESC);
create unique index backup_run_running ON backup_run USING btree ((true)) WHERE (ended_at IS NULL);
