-- What calls of film projects make goes with them, because it was not paid for.
create function undo_film_project(e effect) returns void language sql as $$
  delete from film_project where id = e.subject::uuid
$$;

create function undo_film_media(e effect) returns void language sql as $$
  delete from film_media where id = e.subject::uuid
$$;

-- Puts the earlier composition back, unless another one was saved since. `subject` names the project.
create function undo_composition(e effect) returns void language sql as $$
  update film_project set composition = nullif(e.details->'before', 'null'), version = version - 1
  where id = e.subject::uuid and version = (e.details->>'version')::integer
$$;
