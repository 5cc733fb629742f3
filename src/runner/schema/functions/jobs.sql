-- A job that has ended needs its checkpoints no more.
create function forget_checkpoints() returns trigger language plpgsql as $$
begin
  delete from checkpoint where call_id = new.id;
  return null;
end $$;
create trigger forget_checkpoints after update of state on call
  for each row when (new.job and old.state = 'held' and new.state <> 'held') execute function forget_checkpoints();
