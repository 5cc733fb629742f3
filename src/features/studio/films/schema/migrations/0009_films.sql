-- Films that this machine makes: their projects, the media in them, and the renders. The owner is an account or a wallet; rows
-- of a limited key are that key's alone. Without a key the key's id is null.
create table film_project (
  id uuid primary key,
  account_id uuid not null,
  key_id uuid,
  name text not null,
  -- The format of compositions that name none.
  format jsonb not null,
  -- Null before the first save.
  composition jsonb,
  -- Counts the saves: the etag.
  version integer not null default 0,
  saved_at timestamptz not null default now()
);
create index film_project_by_account on film_project (account_id);
create index film_project_by_time on film_project (saved_at);

-- The bytes stay in the caller's files.
create table film_media (
  id uuid primary key,
  account_id uuid not null,
  key_id uuid,
  file_id text not null,
  filename text not null,
  content_type text not null,
  -- What the file was found to hold: kind, length, size.
  probe jsonb not null,
  created_at timestamptz not null default now()
);
create index film_media_by_account on film_media (account_id);
create index film_media_by_time on film_media (created_at);

-- The id is that of the render's job.
create table film_render (
  id uuid primary key,
  project_id uuid not null references film_project (id) on delete cascade,
  intent text not null check (intent in ('preview', 'final')),
  created_at timestamptz not null default now(),
  -- Absent while it runs, or if its job ended without its help.
  ended_at timestamptz,
  -- The film in the caller's files.
  file_id text,
  duration_sec double precision,
  error text
);
create index film_render_by_project on film_render (project_id, created_at desc);
