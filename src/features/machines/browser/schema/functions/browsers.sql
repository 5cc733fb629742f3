-- A browser goes with its call, because it was not paid for. The gateway that runs it sees that its row is gone.
create function undo_browser(e effect) returns void language sql as $$
  with undone as (delete from browser_session where name = e.subject returning *)
  select end_at_vendor('ns_browser', name, id) from undone where gateway_id is null and ended_at is null
$$;

-- Minutes that were not paid for are taken back.
create function undo_browser_minutes(e effect) returns void language sql as $$
  update browser_session set paid_minutes = paid_minutes - (e.details->>'minutes')::integer,
    charged = charged - (e.details->>'charged')::bigint,
    expires_at = expires_at - (e.details->>'minutes')::integer * interval '1 minute'
  where name = e.subject
$$;

-- A browser that a plan has opened goes with the plan.
create function close_browser(e effect) returns void language sql as $$
  with closed as (
    update browser_session set ended_at = now(), outcome = 'released', close_reason = 'plan'
    where name = e.subject and ended_at is null and expires_at > now() returning *
  )
  select end_at_vendor('ns_browser', name, id) from closed where gateway_id is null
$$;
