-- Has the vendor end what was not paid for.
create function undo_prepaid_resource(e effect) returns void language sql as $$
  update prepaid_resource set due_at = now() where name = e.subject
$$;

-- Has the vendor end what a plan has opened, with the plan.
create function close_prepaid_resource(e effect) returns void language sql as $$
  update prepaid_resource set due_at = now() where name = e.subject
$$;
