-- A session that is closed because its key was revoked or its account frozen was not closed by its owner, and says so.
alter table session drop constraint session_close_reason_check;
alter table session add constraint session_close_reason_check check
  (close_reason in ('closed', 'key_ended', 'balance', 'lifetime', 'idle', 'lost', 'gateway', 'operator', 'failed'));
