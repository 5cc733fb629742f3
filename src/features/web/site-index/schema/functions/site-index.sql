-- What a call has indexed goes with it, because it was not paid for.
create function undo_site_index(e effect) returns void language sql as $$
  delete from site_index where id = e.subject::uuid
$$;

-- A page that was not in the index before. `subject` is its address, and `details` names the index.
create function undo_indexed_page(e effect) returns void language sql as $$
  delete from indexed_page where index_id = (e.details->>'index')::uuid and url = e.subject
$$;
