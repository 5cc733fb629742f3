-- A key with limits gets a tab of its own. What the tab holds counts against the key's daily and monthly limits from the
-- moment it is granted, so that the limits stay exact whichever gateways spend them, and whichever of them stop.
alter table tab add column key_id uuid;
create index tab_by_key on tab (key_id) where key_id is not null;

-- When the day or month began that a tab of this day spends.
create function tab_period(p_period text, p_day date) returns date language sql immutable as $$
  select date_trunc(p_period, p_day::timestamp)::date
$$;

-- What a key's limits leave for chats. Nothing where it may not chat at all; null without a key or a limit of amounts.
create function key_left(p_key uuid, p_day date) returns bigint language sql stable as $$
  select case
    when k.revoked_at is not null or k.expires_at <= now()
      or not ('llm/chat' = any (k.actions) or 'llm/*' = any (k.actions)) then 0
    else (
      select min(greatest(0, v.most - coalesce(s.micros, 0)))
      from (values ('day', k.day_micros_max), ('month', k.month_micros_max)) as v (period, most)
      left join key_spend s on s.key_id = k.id and s.period = v.period and s.starts = tab_period(v.period, p_day)
      where v.most is not null
    )
  end from api_key k where k.id = p_key
$$;

-- What a key has spent in the current day or month, and what its calls under way and its tabs may still cost.
create or replace function key_spent(p_key uuid, p_period text) returns bigint language sql stable as $$
  select (
    select coalesce(sum(case state when 'held' then held else charged end), 0) from call
    where key_id = p_key and id >= uuid_floor(window_start(p_period) - interval '10 minutes')
      and created_at >= window_start(p_period)
  )::bigint + (
    select coalesce(sum(held), 0) from tab
    where key_id = p_key and tab_period(p_period, day) = (window_start(p_period) at time zone 'utc')::date
  )::bigint
$$;

-- As before; a tab of a key takes no more than its share of what the key's limits leave, and ends with the key.
drop function tab_commit;
create function tab_commit(
  p_gateway integer, p_in_flight_max integer, p_share integer,
  t_id uuid[], t_account uuid[], t_key uuid[], t_turn integer[], t_take bigint[], t_least bigint[], t_take_places integer[],
  t_give bigint[], t_give_places integer[], t_last boolean[],
  p_calls jsonb
) returns table (id uuid, granted bigint, granted_places integer, lives_ms bigint, call_micros_max bigint)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  charged_account uuid[];
  charged_micros bigint[];
begin
  perform 1 from balance where account_id = any (t_account) order by account_id for update;
  insert into tab (id, gateway_id, account_id, key_id)
    select t.id, p_gateway, t.account_id, t.key_id
    from unnest(t_id, t_account, t_key, t_turn) as t (id, account_id, key_id, turn) where t.turn = 1
    on conflict (id) do nothing;
  insert into inference_day (account_id, day)
    select t.account_id, t.day from unnest(t_id, t_turn) as a (id, turn) join tab t on t.id = a.id where a.turn = 1
    on conflict (account_id, day) do nothing;

  insert into key_spend (key_id, period, starts, micros)
    select t.key_id, v.period, tab_period(v.period, t.day), 0
    from unnest(t_id, t_turn) as a (id, turn) join tab t on t.id = a.id join api_key k on k.id = t.key_id,
      lateral (values ('day', k.day_micros_max), ('month', k.month_micros_max)) as v (period, most)
    where a.turn = 1 and v.most is not null
    on conflict do nothing;

  with ended as (
    insert into call (id, account_id, key_id, action, state, held, charged, cost, error, message, timeline, gateway_id,
        created_at, expires_at, ended_at)
      select c.id, t.account_id, c.key, c.action, c.state, c.held, c.charged, c.cost, c.error, c.message,
        c.timeline, c.gateway, to_timestamp(c.started_ms / 1000.0), clock_timestamp(), clock_timestamp()
      from jsonb_populate_recordset(null::tab_call, p_calls) c
      join tab t on t.id = c.tab
      on conflict (id) do nothing
      returning id, account_id, charged
  ), posted as (
    insert into transfer (call_id, debit, credit, amount, kind)
      select id, account_id, '00000000-0000-7000-8000-000000000001', charged, 'charge' from ended where charged > 0
  ), summed as (
    select account_id, sum(charged)::bigint as charged from ended group by account_id
  )
  select array_agg(account_id), array_agg(charged) into charged_account, charged_micros from summed;

  with asked as (
    select t.id, t.account_id, t.key_id, t.day, a.take, a.least, a.take_places, coalesce(s.charged, 0) as spent,
      case when a.last then t.held - coalesce(s.charged, 0) else a.give end as give,
      case when a.last then t.places else a.give_places end as give_places,
      least(b.available, i.micros_max - d.spent - d.held, key_left(t.key_id, t.day)) / p_share as micros_left,
      (p_in_flight_max - b.in_flight) / p_share as places_left
    from unnest(t_id, t_turn, t_take, t_least, t_take_places, t_give, t_give_places, t_last)
      as a (id, turn, take, least, take_places, give, give_places, last)
    join tab t on t.id = a.id and t.turn = a.turn - 1
    join balance b on b.account_id = t.account_id
    join inference_cap i on i.only_row
    join inference_day d on d.account_id = t.account_id and d.day = t.day
    left join unnest(charged_account, charged_micros) as s (account_id, charged) on s.account_id = t.account_id
  ), decided as (
    select *, case when fits then least(take, micros_left) else 0 end as micros,
      case when fits then greatest(0, least(take_places, places_left)) else 0 end as more_places
    from (select *, least(take, micros_left) >= least and (take_places = 0 or places_left > 0) as fits from asked) a
  ), balanced as (
    update balance b set available = b.available + d.give - d.micros, held = b.held - d.spent - d.give + d.micros,
        in_flight = b.in_flight - d.give_places + d.more_places
      from decided d where b.account_id = d.account_id
  ), spent_today as (
    update inference_day i set spent = i.spent + d.spent, held = i.held - d.spent - d.give + d.micros
      from decided d where i.account_id = d.account_id and i.day = d.day
  ), counted_for_key as (
    update key_spend k set micros = k.micros - d.give + d.micros
      from decided d where k.key_id = d.key_id and k.starts = tab_period(k.period, d.day)
  )
  update tab t set held = t.held - d.spent - d.give + d.micros, places = t.places - d.give_places + d.more_places,
      turn = t.turn + 1, granted = d.micros, granted_places = d.more_places
    from decided d where t.id = d.id;

  return query
    select t.id, t.granted, t.granted_places,
      (extract(epoch from least((t.day + 1)::timestamp at time zone 'utc', k.expires_at) - now()) * 1000)::bigint,
      k.call_micros_max
    from tab t left join api_key k on k.id = t.key_id where t.id = any (t_id);
  delete from tab where id in (select a.id from unnest(t_id, t_last) as a (id, last) where a.last);
end $$;

-- As before; a call whose tab is gone counts against its key again.
create or replace function tab_replay(p_call jsonb) returns void language plpgsql as $$
declare
  c tab_call;
  t record;
  left_over bigint;
begin
  c := jsonb_populate_record(null::tab_call, p_call);
  select available into left_over from balance where account_id = c.account for update;
  if not found or exists (select 1 from call where id = c.id) then return; end if;
  select id, day into t from tab where id = c.tab;
  if t.id is null then
    t.day := (to_timestamp(c.started_ms / 1000.0) at time zone 'utc')::date;
    c.charged := least(c.charged, left_over);
    update balance set available = available - c.charged where account_id = c.account;
    insert into inference_day as i (account_id, day, spent) values (c.account, t.day, c.charged)
      on conflict (account_id, day) do update set spent = i.spent + excluded.spent;
    update key_spend set micros = micros + c.charged where key_id = c.key and starts = tab_period(period, t.day);
  else
    update balance set held = held - c.charged where account_id = c.account;
    update tab set held = held - c.charged where id = t.id;
    update inference_day set spent = spent + c.charged, held = held - c.charged
      where account_id = c.account and day = t.day;
  end if;
  insert into call (id, account_id, key_id, action, state, held, charged, cost, error, message, timeline, gateway_id,
      created_at, expires_at, ended_at)
    values (c.id, c.account, c.key, c.action, c.state, c.held, c.charged, c.cost, c.error, c.message, c.timeline,
      c.gateway, to_timestamp(c.started_ms / 1000.0), clock_timestamp(), clock_timestamp());
  if c.charged > 0 then
    insert into transfer (call_id, debit, credit, amount, kind)
      values (c.id, c.account, '00000000-0000-7000-8000-000000000001', c.charged, 'charge');
  end if;
end $$;


-- As before; the limits of keys get it back too.
create or replace function release_abandoned_tabs() returns integer language plpgsql as $$
declare
  t record;
  released integer := 0;
begin
  for t in select id, account_id, key_id, day, held, places from tab where not gateway_lives(gateway_id) order by account_id, id loop
    perform 1 from balance where account_id = t.account_id for update;
    delete from tab where id = t.id returning * into t;
    continue when not found;
    update balance set available = available + t.held, held = held - t.held, in_flight = in_flight - t.places
      where account_id = t.account_id;
    update inference_day set held = held - t.held where account_id = t.account_id and day = t.day;
    update key_spend set micros = micros - t.held where key_id = t.key_id and starts = tab_period(period, t.day);
    released := released + 1;
  end loop;
  return released;
end $$;

