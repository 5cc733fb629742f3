-- A sandbox ends with its call, because it was not paid for. The gateway that runs it sees that its row has ended.
create function undo_sandbox(e effect) returns void language sql as $$
  update sandbox set state = 'failed', ended_at = now() where id = e.subject and state = 'running'
$$;

-- A sandbox that a plan has opened ends with the plan.
create function close_sandbox(e effect) returns void language sql as $$
  update sandbox set state = 'finished', ended_at = now() where id = e.subject and state = 'running'
$$;
