-- What calls of film projects make goes with them, because it was not paid for.
create function undo_film_project(e effect) returns void language sql as $$
  delete from film_project where id = e.subject::uuid
$$;

create function undo_film_media(e effect) returns void language sql as $$
  delete from film_media where id = e.subject::uuid
$$;

-- Puts the earlier composition back. `subject` names the project. If another one was saved since, that one stays, and
-- follows the earlier one from now on, so that saves can be undone in any order.
create function undo_composition(e effect) returns void language plpgsql as $$
declare
  v_version integer := (e.details->>'version')::integer;
  v_earlier integer := coalesce((e.details->>'earlier')::integer, v_version - 1);
begin
  update film_project set composition = nullif(e.details->'before', 'null'), version = v_earlier
    where id = e.subject::uuid and version = v_version;
  if found then return; end if;
  update effect set details = details || jsonb_build_object('before', e.details->'before', 'earlier', v_earlier)
    where id = (
      select id from effect where kind = 'composition' and subject = e.subject and (details->>'version')::integer > v_version
      order by (details->>'version')::integer limit 1
    );
end $$;
