-- An id that a vendor issued is the caller's no more when its call was not charged.
create function undo_vendor_id(e effect) returns void language sql as $$
  delete from vendor_handle where account_id = (e.details->>'account')::uuid and key_id = (e.details->>'key')::uuid
    and namespace = e.details->>'namespace' and kind = e.details->>'kind' and id = e.details->>'id'
$$;
