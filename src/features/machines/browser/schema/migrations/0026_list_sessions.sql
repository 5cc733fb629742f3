-- Browsers are listed among the sessions of their owner.
alter table browser_session
  -- Its place in lists of sessions, a UUID that sorts by time. Null in rows from before this column, which are not listed.
  add column cursor uuid,
  add column key_id uuid,
  -- All that was paid for its minutes, in micro-dollars.
  add column charged bigint not null default 0 check (charged >= 0);
create index browser_session_by_account on browser_session (account_id, cursor desc);
