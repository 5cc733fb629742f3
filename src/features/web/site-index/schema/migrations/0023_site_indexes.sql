-- Sites that callers have indexed. The owner is an account or a wallet; indexes of a limited key are that key's alone. Without a
-- key the key's id is null.
create table site_index (
  id uuid primary key,
  -- Shorter than the id, since each posting has it.
  number integer generated always as identity unique,
  account_id uuid not null,
  key_id uuid,
  -- The dictionaries of PostgreSQL that its pages have needed.
  dictionaries text[] not null default '{}',
  created_at timestamptz not null,
  -- When it was last written or searched, to the day.
  used_at timestamptz not null
);
create index site_index_by_account on site_index (account_id, id desc);
create index site_index_by_use on site_index (used_at);

create table indexed_page (
  id bigint generated always as identity primary key,
  index_id uuid not null references site_index on delete cascade,
  -- The address where the job began that read it.
  site text not null,
  url text not null,
  title text not null,
  dictionary text not null,
  -- Of its title and content as they were read.
  hash text not null,
  characters integer not null,
  indexed_at timestamptz not null,
  unique (index_id, url)
);

create table indexed_passage (
  page_id bigint not null references indexed_page on delete cascade,
  position integer not null,
  headings text[] not null,
  anchor text,
  text text not null,
  words integer not null,
  search tsvector not null,
  primary key (page_id, position)
);
-- The text leaves the row before the vector does, since a search reads the vectors of many passages and the texts of few.
alter table indexed_passage alter column search set storage main;

-- How much a page is about a word, in thousandths.
create table indexed_posting (
  index_number integer not null,
  word text not null,
  page_id bigint not null references indexed_page on delete cascade,
  impact smallint not null,
  primary key (index_number, word, page_id) include (impact)
);
create index indexed_posting_by_page on indexed_posting (page_id);
