-- The tables of this room as its migrations leave them, where their columns are explained.

-- Written by the tests with UPDATE_SNAPSHOTS=1; do not edit.

create table stored_file (
  id uuid,
  account_id uuid not null,
  key_id uuid,
  state text not null,
  source text not null,
  filename text not null,
  media_type text not null,
  bytes bigint not null,
  sha256 text,
  tags text[] not null default '{}'::text[],
  note text,
  call_id uuid,
  output_name text,
  created_at timestamp with time zone not null,
  lapses_at timestamp with time zone not null,
  may_be_smaller boolean not null default false,
  PRIMARY KEY (id),
  CHECK ((bytes >= 0)),
  CHECK ((source = ANY (ARRAY['upload'::text, 'url'::text, 'action'::text]))),
  CHECK ((state = ANY (ARRAY['pending'::text, 'stored'::text, 'removed'::text])))
);
create index stored_file_by_owner ON stored_file USING btree (account_id, id DESC) WHERE (state <> 'removed'::text);
create index stored_file_open ON stored_file USING btree (lapses_at) WHERE (state = 'pending'::text);
create unique index stored_file_output ON stored_file USING btree (call_id, output_name) WHERE ((state <> 'removed'::text) AND (call_id IS NOT NULL));
create index stored_file_removed ON stored_file USING btree (id) WHERE (state = 'removed'::text);

create table file_quota (
  account_id uuid,
  bytes bigint not null default 0,
  files integer not null default 0,
  bytes_max bigint,
  PRIMARY KEY (account_id),
  CHECK ((bytes >= 0)),
  CHECK ((bytes_max >= 0)),
  CHECK ((files >= 0))
);

create table unpaid_output (
  file_id uuid,
  PRIMARY KEY (file_id)
);
