-- Extractions that this machine does itself, where no vendor is configured. Each page's result is saved as it comes, so that
-- another gateway can go on where one stopped.
create table own_extraction (
  id uuid primary key,
  input jsonb not null,
  state text not null default 'processing' check (state in ('processing', 'completed', 'failed')),
  heard_of_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index own_extraction_by_time on own_extraction (created_at);

create table own_extraction_result (
  extraction_id uuid not null references own_extraction on delete cascade,
  -- The page's place among those that were asked for.
  place integer not null,
  result jsonb not null,
  primary key (extraction_id, place)
);
