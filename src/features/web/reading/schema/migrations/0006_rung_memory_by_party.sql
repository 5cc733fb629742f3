-- What each account has seen is kept apart, so that one account changes little for the others. A party is a hash of the
-- account and the host: which account read which host is not kept. Blocks are walls and nothing else that keeps a page from
-- being read. Earlier counts include pages that were missing or empty, so they are dropped, and the ladder learns anew.
truncate rung_memory;
alter table rung_memory rename column misses to blocks;
alter table rung_memory add column party text not null;
alter table rung_memory drop constraint rung_memory_pkey;
alter table rung_memory add primary key (host, party, rung);
create index rung_memory_by_host on rung_memory (host, updated_at desc);
