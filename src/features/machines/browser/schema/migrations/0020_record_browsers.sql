-- A session may be recorded. The recording is `pending` from the session's start until it is a file of the account, or has failed.
alter table browser_session
  add column recording text check (recording in ('pending', 'saved', 'failed')),
  add column recording_file_id uuid;
create index browser_session_recorded on browser_session (expires_at) where recording = 'pending';
