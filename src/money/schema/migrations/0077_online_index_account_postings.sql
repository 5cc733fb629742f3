-- The postings of an account by time. One side of each transfer of an account is a house account, whose ids are the
-- smallest; the index has the other side, as the view `account_posting` names it.
create index concurrently transfer_of_account on transfer (
  (case when credit < '00000000-0000-7000-8001-000000000000' then debit else credit end), created_at);
