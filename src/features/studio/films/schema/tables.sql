-- The tables of this room as its migrations leave them, where their columns are explained.

-- Written by the tests with UPDATE_SNAPSHOTS=1; do not edit.

create table film_project (
  id uuid,
  account_id uuid not null,
  key_id uuid,
  name text not null,
  format jsonb not null,
  composition jsonb,
  version integer not null default 0,
  saved_at timestamp with time zone not null default now(),
  PRIMARY KEY (id)
);
create index film_project_by_account ON film_project USING btree (account_id);
create index film_project_by_time ON film_project USING btree (saved_at);

create table film_media (
  id uuid,
  account_id uuid not null,
  key_id uuid,
  file_id text not null,
  filename text not null,
  content_type text not null,
  probe jsonb not null,
  created_at timestamp with time zone not null default now(),
  PRIMARY KEY (id)
);
create index film_media_by_account ON film_media USING btree (account_id);
create index film_media_by_time ON film_media USING btree (created_at);

create table film_render (
  id uuid,
  project_id uuid not null,
  intent text not null,
  created_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  file_id text,
  duration_sec double precision,
  error text,
  PRIMARY KEY (id),
  CHECK ((intent = ANY (ARRAY['preview'::text, 'final'::text]))),
  FOREIGN KEY (project_id) REFERENCES film_project(id) ON DELETE CASCADE
);
create index film_render_by_project ON film_render USING btree (project_id, created_at DESC);

create table film_turn (
  render_id uuid,
  account_id uuid not null,
  work_seconds double precision not null,
  is_short boolean not null,
  used_seconds double precision not null default 0,
  is_rendering boolean not null default false,
  asked_at timestamp with time zone not null default now(),
  seen_at timestamp with time zone not null default now(),
  ended_at timestamp with time zone,
  PRIMARY KEY (render_id),
  CHECK ((used_seconds >= (0)::double precision)),
  CHECK ((work_seconds >= (0)::double precision))
);
create index film_turn_by_account ON film_turn USING btree (account_id, seen_at);
create index film_turn_waiting ON film_turn USING btree (asked_at) WHERE ((ended_at IS NULL) AND (NOT is_rendering));
