-- An account lists its jobs. Most calls are not jobs, so the list must not read them.
create index call_job on call (account_id, id desc) where job;
