-- Crawls that this machine does itself, where no vendor is configured. Each page is saved as it is read, so that another
-- gateway can go on where one stopped: whoever has not heard of a crawl's worker for a while takes it over.
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
