-- How often each rung of the page ladder has read a host's pages lately. Counts fade with a half-life of a week. Addresses
-- and content are not kept.
create table rung_memory (
  host text not null,
  rung text not null,
  reads double precision not null,
  misses double precision not null,
  blocked_at timestamptz,
  updated_at timestamptz not null default now(),
  primary key (host, rung)
);
create index rung_memory_by_time on rung_memory (updated_at desc);

-- Crawls that this machine runs because no vendor is configured. Each page is saved once read. A gateway that sees no sign of
-- life from a crawl's worker for a while takes the crawl over and goes on from the saved pages.
create table own_crawl (
  id uuid primary key,
  input jsonb not null,
  state text not null default 'scraping' check (state in ('scraping', 'completed', 'failed')),
  heard_of_at timestamptz not null default now(),
  created_at timestamptz not null default now()
);
create index own_crawl_by_time on own_crawl (created_at);

create table own_crawl_page (
  crawl_id uuid not null references own_crawl on delete cascade,
  url text not null,
  depth integer not null,
  -- Null where the page could not be read.
  page jsonb,
  links jsonb not null,
  read_at timestamptz not null default now(),
  primary key (crawl_id, url)
);

-- Extractions that this machine runs because no vendor is configured; taken over like crawls.
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
  -- The page's place in the request.
  place integer not null,
  result jsonb not null,
  primary key (extraction_id, place)
);
