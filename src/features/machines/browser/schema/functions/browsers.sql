-- A browser goes with its call, because it was not paid for. The gateway that runs it sees that its row is gone.
create function undo_browser(e effect) returns void language sql as $$
  delete from browser_session where id = e.subject
$$;

-- Minutes that were not paid for are taken back. `subject` names the session.
create function undo_browser_minutes(e effect) returns void language sql as $$
  update browser_session set paid_minutes = paid_minutes - (e.details->>'minutes')::integer,
    charged = charged - (e.details->>'charged')::bigint,
    expires_at = expires_at - (e.details->>'minutes')::integer * interval '1 minute'
  where id = e.subject
$$;

-- A browser that a plan has opened goes with the plan. The minutes of a vendor's browser are cut, so that it is
-- released there.
create function close_browser(e effect) returns void language sql as $$
  update browser_session set ended_at = now(), outcome = 'released', close_reason = 'plan'
  where id = e.subject and gateway_id is not null and ended_at is null and expires_at > now();
  update browser_session set expires_at = now(), close_reason = 'plan'
  where id = e.subject and gateway_id is null and ended_at is null and expires_at > now();
$$;
