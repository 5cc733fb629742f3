-- The tables of this room as its migrations leave them, where their columns are explained.

-- Written by the tests with UPDATE_SNAPSHOTS=1; do not edit.

create table prepaid_resource (
  name text,
  service text not null,
  call_id uuid not null,
  ends_at timestamp with time zone not null,
  tried_at timestamp with time zone,
  due_at timestamp with time zone,
  PRIMARY KEY (name)
);
create index prepaid_resource_by_trial ON prepaid_resource USING btree (service, tried_at);
