-- Backups that the gateway makes by itself: how often, and how many are kept. Without a row they are made only when
-- the operator asks.
create table backup_plan (
  id boolean primary key default true check (id),
  -- 0: only when the operator asks.
  every_hours integer not null check (every_hours between 0 and 744),
  kept integer not null check (kept between 1 and 100),
  changed_at timestamptz not null default now()
);

-- Each backup, and each test that one can be restored.
create table backup_run (
  id uuid primary key,
  kind text not null check (kind in ('backup', 'restore-test')),
  asked_by text not null check (asked_by in ('operator', 'schedule')),
  gateway_id integer not null,
  -- The place of the backup. It is there once it is whole.
  file text not null,
  started_at timestamptz not null default now(),
  -- Null while it runs.
  ended_at timestamptz,
  -- Null where it succeeded.
  problem text,
  -- The size of the file.
  bytes bigint,
  -- What the books in it hold.
  accounts bigint,
  postings bigint
);
-- One gateway makes one at a time.
create unique index backup_run_running on backup_run ((true)) where ended_at is null;
create index backup_run_by_kind on backup_run (kind, id desc);
