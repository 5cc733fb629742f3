-- The tables of this room as its migrations leave them, where their columns are explained.

-- Written by the tests with UPDATE_SNAPSHOTS=1; do not edit.

create table kept_response (
  id uuid,
  account_id uuid not null,
  key_id uuid not null,
  previous uuid,
  items text not null,
  background text,
  response text,
  bytes bigint not null,
  created_at timestamp with time zone not null,
  is_charged boolean not null,
  PRIMARY KEY (id),
  CHECK ((bytes >= 0))
);
create index kept_response_by_age ON kept_response USING btree (created_at);

create table kept_response_usage (
  account_id uuid,
  bytes bigint not null default 0,
  PRIMARY KEY (account_id),
  CHECK ((bytes >= 0))
);
