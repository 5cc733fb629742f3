-- Why a recording has failed.
alter table browser_session add column recording_failure text
  check (recording_failure is null or recording = 'failed');
