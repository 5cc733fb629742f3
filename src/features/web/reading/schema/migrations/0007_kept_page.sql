-- Pages that may be returned again to callers who accept an earlier read. The key is a hash of the address and of how the page
-- was asked for; neither is kept in the clear. The page is JSON, compressed.
create table kept_page (
  key bytea primary key,
  page bytea not null,
  bytes integer not null,
  read_at timestamptz not null default now()
);
create index kept_page_by_time on kept_page (read_at desc, key);
