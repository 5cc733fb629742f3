-- The tables of this room as its migrations leave them, where their columns are explained.

-- Written by the tests with UPDATE_SNAPSHOTS=1; do not edit.

create table site_index (
  id uuid,
  number integer generated always as identity not null,
  account_id uuid not null,
  key_id uuid,
  dictionaries text[] not null default '{}'::text[],
  created_at timestamp with time zone not null,
  used_at timestamp with time zone not null,
  PRIMARY KEY (id),
  UNIQUE (number)
);
create index site_index_by_account ON site_index USING btree (account_id, id DESC);
create index site_index_by_use ON site_index USING btree (used_at);

create table indexed_page (
  id bigint generated always as identity,
  index_id uuid not null,
  site text not null,
  url text not null,
  title text not null,
  dictionary text not null,
  hash text not null,
  characters integer not null,
  indexed_at timestamp with time zone not null,
  PRIMARY KEY (id),
  FOREIGN KEY (index_id) REFERENCES site_index(id) ON DELETE CASCADE,
  UNIQUE (index_id, url)
);
create index indexed_page_by_address ON indexed_page USING btree (index_id, hashtextextended(rtrim(url, '/'::text), (0)::bigint));

create table indexed_passage (
  page_id bigint,
  "position" integer,
  headings text[] not null,
  anchor text,
  text text not null,
  words integer not null,
  search tsvector not null,
  PRIMARY KEY (page_id, "position"),
  FOREIGN KEY (page_id) REFERENCES indexed_page(id) ON DELETE CASCADE
);

create table indexed_posting (
  index_number integer,
  word text,
  page_id bigint,
  impact smallint not null,
  PRIMARY KEY (index_number, word, page_id) INCLUDE (impact),
  FOREIGN KEY (page_id) REFERENCES indexed_page(id) ON DELETE CASCADE
);
create index indexed_posting_by_page ON indexed_posting USING btree (page_id);

create table indexed_mention (
  index_number integer,
  word text,
  target bigint,
  page_id bigint,
  impact smallint not null,
  PRIMARY KEY (index_number, word, target, page_id) INCLUDE (impact),
  FOREIGN KEY (page_id) REFERENCES indexed_page(id) ON DELETE CASCADE
);
create index indexed_mention_by_page ON indexed_mention USING btree (page_id);

create table indexed_word (
  index_number integer,
  word text,
  PRIMARY KEY (index_number, word),
  FOREIGN KEY (index_number) REFERENCES site_index(number) ON DELETE CASCADE
);
create index indexed_word_by_end ON indexed_word USING btree (index_number, reverse(word));
