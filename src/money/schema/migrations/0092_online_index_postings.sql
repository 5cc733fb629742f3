-- Postings are written in the order of time, so that this index is small.
create index concurrently transfer_by_time on transfer using brin (created_at);
