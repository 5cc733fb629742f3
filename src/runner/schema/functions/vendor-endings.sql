-- Has a vendor end a resource, from the end of this transaction on. `p_id`: the vendor's own id, where it is known.
create function end_at_vendor(p_service text, p_name text, p_id text default null) returns void language sql as $$
  insert into vendor_ending (service, name, id) values (p_service, p_name, p_id) on conflict (name) do nothing
$$;

-- It was not paid for.
create function undo_prepaid_resource(e effect) returns void language sql as $$
  select end_at_vendor(e.details->>'service', e.subject)
$$;

-- The plan that opened it is over.
create function close_prepaid_resource(e effect) returns void language sql as $$
  select end_at_vendor(e.details->>'service', e.subject)
$$;
