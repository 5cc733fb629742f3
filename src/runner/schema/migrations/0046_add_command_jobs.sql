-- Commands of sessions that are answered at once, with an id by which their result is read.
alter table session_command add column job_id uuid, add column failure text;
comment on column session_command.failure is 'JSON, with code and message. Only of a job that failed.';
create unique index session_command_by_job on session_command (job_id) where job_id is not null;
