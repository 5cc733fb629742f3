-- The tables of this room as its migrations leave them, where their columns are explained.

-- Written by the tests with UPDATE_SNAPSHOTS=1; do not edit.

create table repository (
  id uuid,
  account_id uuid not null,
  key_id uuid,
  name text,
  bytes bigint not null default 0,
  created_at timestamp with time zone not null,
  pushed_at timestamp with time zone,
  is_unmeasured boolean not null default false,
  machine text,
  PRIMARY KEY (id),
  CHECK ((bytes >= 0))
);
create index repository_by_account ON repository USING btree (account_id, id DESC);
create index repository_unmeasured ON repository USING btree (id) WHERE is_unmeasured;
