-- The operator reads the failed calls of all accounts, and they are few among the others.
create index call_failed on call (id desc) where state = 'voided';
