-- Effects: what calls make that stays after them. An effect is recorded in the transaction that makes it, and undone in
-- the transaction that voids its call. So what was not charged does not exist, wherever a gateway was killed. What a
-- plan has opened is closed in the transaction that charges the plan.

-- Whether another call that has not ended made or changed this thing: what such a call made may still be undone. Where
-- only its payment is to be settled, it has been answered, and its payer answers for the rest.
create function effect_is_open(p_kind text, p_subject text, p_call uuid) returns boolean language sql stable as $$
  select exists (
    select from effect e join call c on c.id = e.call_id left join payment p on p.id = c.payment_id
    where e.kind = p_kind and e.subject = p_subject and e.call_id <> p_call and c.state = 'held' and p.charged is null
  )
$$;

-- Records an effect, and resolves to the state of its call, which cannot end before this transaction does. Unless the
-- state is `held`, nothing is recorded, and nothing may be made. Null: there is no such call. `in_use`: the effect
-- changes one of these things, and another call that made or changed it may still be undone. So no call pays for a part
-- of what goes.
create function call_makes(
  p_call uuid, p_place text, p_kind text, p_subject text, p_details jsonb default null, p_closes boolean default false,
  p_changes jsonb default null
)
returns text language plpgsql as $$
declare
  v_state text;
begin
  select state into v_state from call where id = p_call for share;
  if v_state = 'held' then
    if exists (
      select from jsonb_to_recordset(p_changes) as t (kind text, subject text) where effect_is_open(t.kind, t.subject, p_call)
    ) then return 'in_use'; end if;
    insert into effect (call_id, place, kind, subject, details, closes)
    values (p_call, p_place, p_kind, p_subject, p_details, p_closes);
  end if;
  return v_state;
end $$;

-- Undoes an effect by the function of its room: undo_<kind>.
create function effect_undo(e effect) returns void language plpgsql as $$
begin
  execute format('select %I($1)', 'undo_' || e.kind) using e;
end $$;

-- Undoes what a part of a call has made, the newest first: all of a call that is voided, or what an inner call has made
-- that failed or is to be run again.
create function undo_effects_at(p_call uuid, p_place text) returns void language plpgsql as $$
declare
  e effect;
begin
  for e in
    with undone as (delete from effect where call_id = p_call and starts_with(place, p_place) returning *)
    select * from undone order by id desc
  loop
    perform effect_undo(e);
  end loop;
end $$;

create function undo_effects_of_failed_call() returns trigger language plpgsql as $$
begin
  perform undo_effects_at(new.id, '');
  return null;
end $$;
create trigger undo_effects_of_failed_call after update of state on call
  for each row when (old.state = 'held' and new.state = 'voided')
  execute function undo_effects_of_failed_call();

-- Closes by the functions of their rooms, close_<kind>, what the steps of a plan have opened.
create function close_effects_of_charged_call() returns trigger language plpgsql as $$
declare
  e effect;
begin
  for e in select * from effect where call_id = new.id and closes order by id desc
  loop
    execute format('select %I($1)', 'close_' || e.kind) using e;
  end loop;
  return null;
end $$;
create trigger close_effects_of_charged_call after update of state on call
  for each row when (old.state = 'held' and new.state = 'settled' and new.job)
  execute function close_effects_of_charged_call();

-- Empty when all that calls have made was charged, or is made by a call that is still open.
create view effect_problem as
  select 'what exists was not charged' as rule, e.kind || ' ' || e.subject || ' of call ' || e.call_id as subject,
    coalesce(c.state, 'no call') as found, 'settled' as expected
  from effect e left join call c on c.id = e.call_id
  where c.state is null or c.state = 'voided'
  union all
  -- What a job delivers may be worth nothing. Any other call is charged its price.
  select 'what exists was charged nothing', e.kind || ' ' || e.subject || ' of call ' || e.call_id, '0', c.held::text
  from effect e join call c on c.id = e.call_id
  where c.state = 'settled' and c.charged = 0 and c.held > 0 and not c.job;
