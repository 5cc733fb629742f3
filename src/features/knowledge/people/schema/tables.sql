-- The tables of this room as its migrations leave them, where their columns are explained.

-- Written by the tests with UPDATE_SNAPSHOTS=1; do not edit.

create table people_source (
  step text,
  field text,
  fills double precision not null,
  confirmations double precision not null,
  refusals double precision not null,
  spent_cents double precision not null,
  updated_at timestamp with time zone not null default now(),
  PRIMARY KEY (step, field)
);

create table people_miss (
  digest text,
  missed_at timestamp with time zone not null default now(),
  PRIMARY KEY (digest)
);
create index people_miss_by_time ON people_miss USING btree (missed_at);

create table people_uncovered (
  account_id text,
  day date default CURRENT_DATE,
  cents double precision not null,
  PRIMARY KEY (account_id, day)
);

create table people_opt_out (
  number bigint generated always as identity not null,
  digest bytea,
  opted_out_at timestamp with time zone not null default now(),
  PRIMARY KEY (digest),
  UNIQUE (number)
);

create table people_link (
  hash bytea,
  email text not null,
  expires_at timestamp with time zone not null,
  PRIMARY KEY (hash)
);

create table people_disclosure (
  digest bytea not null,
  action text not null,
  purpose text,
  disclosed_at timestamp with time zone not null default now()
);
create index people_disclosure_by_person ON people_disclosure USING btree (digest, disclosed_at DESC);
create index people_disclosure_by_time ON people_disclosure USING btree (disclosed_at);
