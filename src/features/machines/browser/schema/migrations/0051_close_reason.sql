-- Why it is over. Null while it is open, and where only its minutes have ended it.
alter table browser_session add column close_reason text
  check (close_reason in ('closed', 'key_ended', 'lifetime', 'idle', 'lost', 'operator', 'plan'));
