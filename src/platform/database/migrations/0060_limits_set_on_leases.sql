-- A lease of an account takes the calls of all its keys without limits. When such a key gets a daily or monthly limit while its
-- calls on the lease are under way, what they come to counts against the limit. The lease of a key with limits counts by itself.

-- As before, with `counted_for_key` for the keys of leases of accounts; a batch has at most one tab of an account.
create or replace function tab_commit(
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
      returning id, account_id, key_id, charged
  ), posted as (
    insert into transfer (call_id, debit, credit, amount, kind)
      select id, account_id, '00000000-0000-7000-8000-000000000001', charged, 'charge' from ended where charged > 0
  ), counted_for_key as (
    update key_spend k set micros = k.micros + e.charged
    from (
      select c.key_id, t.day, sum(c.charged)::bigint as charged
      from ended c join tab t on t.account_id = c.account_id and t.id = any (t_id)
      where t.key_id is null group by c.key_id, t.day
    ) e
    where k.key_id = e.key_id and k.starts = tab_period(k.period, e.day)
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

-- As before, likewise.
create or replace function tab_replay(p_call jsonb) returns void language plpgsql as $$
declare
  c tab_call;
  t record;
  left_over bigint;
begin
  c := jsonb_populate_record(null::tab_call, p_call);
  select available into left_over from balance where account_id = c.account for update;
  if not found or exists (select 1 from call where id = c.id) then return; end if;
  select id, day, key_id into t from tab where id = c.tab;
  if t.id is null then
    t.day := (to_timestamp(c.started_ms / 1000.0) at time zone 'utc')::date;
    c.charged := least(c.charged, left_over);
    update balance set available = available - c.charged where account_id = c.account;
    insert into inference_day as i (account_id, day, spent) values (c.account, t.day, c.charged)
      on conflict (account_id, day) do update set spent = i.spent + excluded.spent;
  else
    update balance set held = held - c.charged where account_id = c.account;
    update tab set held = held - c.charged where id = t.id;
    update inference_day set spent = spent + c.charged, held = held - c.charged
      where account_id = c.account and day = t.day;
  end if;
  -- The lease of a key with limits has counted it already.
  if t.key_id is null then
    update key_spend set micros = micros + c.charged where key_id = c.key and starts = tab_period(period, t.day);
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
