-- The tables of this room as its migrations leave them, where their columns are explained.

-- Written by the tests with UPDATE_SNAPSHOTS=1; do not edit.

create table sandbox (
  id text,
  gateway_id integer not null,
  state text not null,
  returncode integer,
  expires_at timestamp with time zone not null,
  ended_at timestamp with time zone,
  PRIMARY KEY (id),
  CHECK ((state = ANY (ARRAY['running'::text, 'finished'::text, 'failed'::text])))
);
create index sandbox_by_expiry ON sandbox USING btree (expires_at);
