-- The outputs of calls that are still open.
insert into effect (call_id, kind, subject, place)
  select f.call_id, 'file', f.id::text, '' from stored_file f join call c on c.id = f.call_id
  where c.state = 'held' and f.state <> 'removed';
