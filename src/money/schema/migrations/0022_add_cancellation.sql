-- The caller of a job has cancelled it. One that had not begun is voided. One that had begun ends with what it has delivered.
alter table call add column cancelled text check (cancelled in ('unbegun', 'begun'));
