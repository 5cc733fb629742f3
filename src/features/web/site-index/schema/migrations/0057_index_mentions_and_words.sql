-- How much another page of the index is about a word, in thousandths, by what the page says of it where it lists links. `target` is
-- the other page's address, hashed: that page may come into the index later.
create table indexed_mention (
  index_number integer not null,
  word text not null,
  target bigint not null,
  page_id bigint not null references indexed_page on delete cascade,
  impact smallint not null,
  primary key (index_number, word, target, page_id) include (impact)
);
create index indexed_mention_by_page on indexed_mention (page_id);
create index indexed_page_by_address on indexed_page (index_id, hashtextextended(rtrim(url, '/'), 0));

-- The words of an index, by which misspelt ones are corrected. A word stays when its pages go.
create table indexed_word (
  index_number integer not null references site_index (number) on delete cascade,
  word text collate "C" not null,
  primary key (index_number, word)
);
create index indexed_word_by_end on indexed_word (index_number, reverse(word) collate "C");

-- Until their pages are read again, the words of older indexes are their stems.
insert into indexed_word (index_number, word)
  select distinct index_number, word from indexed_posting
  where word ~ '^[[:alpha:]]{3,30}$' and exists (select from site_index where number = index_number);
