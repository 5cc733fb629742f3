-- A call was entered into the lists of its account and its key twice: when its row was made, and again when its end made
-- a new version of the row. Now it is entered when it has ended; open calls are few, and `call_open` lists them.
--
-- The newest call comes last in each list. A page that is filled from its end stays full when it is split, one that is
-- filled from its beginning stays half empty.
drop index call_by_account;
create index call_by_account on call (account_id, id) where state <> 'held';
drop index call_by_key;
create index call_by_key on call (key_id, id) where key_id is not null and state <> 'held';
drop index call_failed;
create index call_failed on call (id) where state = 'voided';
drop index call_job;
create index call_job on call (account_id, id) where job;
drop index statement_entry_by_account;
create index statement_entry_by_account on statement_entry (account_id, id);
