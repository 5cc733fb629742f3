-- What a call has indexed goes with it, because it was not paid for.
create function undo_site_index(e effect) returns void language sql as $$
  delete from site_index where id = e.subject::uuid
$$;

-- A page that was not in the index before. `subject` is its address, and `details` names the index.
create function undo_indexed_page(e effect) returns void language sql as $$
  delete from indexed_page where index_id = (e.details->>'index')::uuid and url = e.subject
$$;

-- Whether another call that has not ended put this page into the index: it may still be undone, and takes the page along.
create function page_is_open(p_index uuid, p_url text, p_call uuid) returns boolean language sql stable as $$
  select exists (
    select from effect e join call c on c.id = e.call_id left join payment p on p.id = c.payment_id
    where e.kind = 'indexed_page' and e.subject = p_url and e.details->>'index' = p_index::text and e.call_id <> p_call
      and c.state = 'held' and p.charged is null
  )
$$;

-- The index that a call which has not ended makes for this site. Null: there is none.
create function index_being_made(p_account uuid, p_key uuid, p_site text) returns uuid language sql stable as $$
  select i.id from site_index i
    join effect e on e.kind = 'site_index' and e.subject = i.id::text and e.details->>'site' = p_site
    join call c on c.id = e.call_id and c.state = 'held'
  where i.account_id = p_account and (p_key is null or i.key_id = p_key) order by i.id limit 1
$$;
