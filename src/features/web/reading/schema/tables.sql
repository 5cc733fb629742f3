-- The tables of this room as its migrations leave them, where their columns are explained.

-- Written by the tests with UPDATE_SNAPSHOTS=1; do not edit.

create table rung_memory (
  host text,
  rung text,
  reads double precision not null,
  blocks double precision not null,
  blocked_at timestamp with time zone,
  updated_at timestamp with time zone not null default now(),
  party text,
  PRIMARY KEY (host, party, rung)
);
create index rung_memory_by_host ON rung_memory USING btree (host, updated_at DESC);
create index rung_memory_by_time ON rung_memory USING btree (updated_at DESC);

create table own_crawl (
  id uuid,
  input jsonb not null,
  state text not null default 'scraping'::text,
  heard_of_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  PRIMARY KEY (id),
  CHECK ((state = ANY (ARRAY['scraping'::text, 'completed'::text, 'failed'::text])))
);
create index own_crawl_by_time ON own_crawl USING btree (created_at);

create table own_crawl_page (
  crawl_id uuid,
  url text,
  depth integer not null,
  page jsonb,
  links jsonb not null,
  read_at timestamp with time zone not null default now(),
  PRIMARY KEY (crawl_id, url),
  FOREIGN KEY (crawl_id) REFERENCES own_crawl(id) ON DELETE CASCADE
);

create table own_extraction (
  id uuid,
  input jsonb not null,
  state text not null default 'processing'::text,
  heard_of_at timestamp with time zone not null default now(),
  created_at timestamp with time zone not null default now(),
  PRIMARY KEY (id),
  CHECK ((state = ANY (ARRAY['processing'::text, 'completed'::text, 'failed'::text])))
);
create index own_extraction_by_time ON own_extraction USING btree (created_at);

create table own_extraction_result (
  extraction_id uuid,
  place integer,
  result jsonb not null,
  PRIMARY KEY (extraction_id, place),
  FOREIGN KEY (extraction_id) REFERENCES own_extraction(id) ON DELETE CASCADE
);

create table kept_page (
  key bytea,
  page bytea not null,
  bytes integer not null,
  read_at timestamp with time zone not null default now(),
  PRIMARY KEY (key)
);
create index kept_page_by_time ON kept_page USING btree (read_at DESC, key);
