-- A repository goes with its call, because it was not paid for. The sweep removes its folder.
create function undo_repository(e effect) returns void language sql as $$
  delete from repository where id = e.subject::uuid
$$;
