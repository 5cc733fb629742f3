-- A tab lets one gateway run the chats of an account without asking the database for each. It holds an amount, and places
-- among the calls in flight; its gateway reserves from both in memory, and writes the chats that ended, with their
-- charges, in batches. So what all chats together may cost is held before any of them is sent, as with a call of its own,
-- and whatever a gateway that stops had not written is given back to its caller.
--
-- Whoever changes a tab has locked the account's balance row.
create table tab (
  id uuid primary key,
  gateway_id integer not null,
  account_id uuid not null,
  -- The day (UTC) whose inference it spends.
  day date not null default (now() at time zone 'utc')::date,
  held bigint not null default 0 check (held >= 0),
  places integer not null default 0 check (places >= 0),
  -- The last of its turns, and what that one was granted: a turn whose reply was lost is sent again.
  turn integer not null default 0,
  granted bigint not null default 0,
  granted_places integer not null default 0
) with (fillfactor = 70);

-- A call that ended on a tab, as its gateway writes it.
create type tab_call as (
  tab uuid, gateway integer, id uuid, account uuid, key uuid, action text, state text, held bigint, charged bigint, cost bigint,
  error text, message text, timeline jsonb, started_ms bigint
);

-- One turn of some of a gateway's tabs, at most one for each account. Its chats that ended are written and charged; then
-- it gives back what it does not need and is granted more: all that it takes, unless that is more than its share of what
-- the account has left, and nothing if that is less than its least. A tab that is not among the rows is gone. A last turn
-- gives everything back.
create function tab_commit(
  p_gateway integer, p_in_flight_max integer, p_share integer,
  t_id uuid[], t_account uuid[], t_turn integer[], t_take bigint[], t_least bigint[], t_take_places integer[],
  t_give bigint[], t_give_places integer[], t_last boolean[],
  p_calls jsonb
) returns table (id uuid, granted bigint, granted_places integer, lives_ms bigint)
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
  insert into tab (id, gateway_id, account_id)
    select t.id, p_gateway, t.account_id from unnest(t_id, t_account, t_turn) as t (id, account_id, turn) where t.turn = 1
    on conflict (id) do nothing;
  insert into inference_day (account_id, day)
    select t.account_id, t.day from unnest(t_id, t_turn) as a (id, turn) join tab t on t.id = a.id where a.turn = 1
    on conflict (account_id, day) do nothing;

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
    select t.id, t.account_id, t.day, a.take, a.least, a.take_places, coalesce(s.charged, 0) as spent,
      case when a.last then t.held - coalesce(s.charged, 0) else a.give end as give,
      case when a.last then t.places else a.give_places end as give_places,
      least(b.available, i.micros_max - d.spent - d.held) / p_share as micros_left,
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
  )
  update tab t set held = t.held - d.spent - d.give + d.micros, places = t.places - d.give_places + d.more_places,
      turn = t.turn + 1, granted = d.micros, granted_places = d.more_places
    from decided d where t.id = d.id;

  return query
    select t.id, t.granted, t.granted_places,
      (extract(epoch from (t.day + 1)::timestamp at time zone 'utc' - now()) * 1000)::bigint
    from tab t where t.id = any (t_id);
  delete from tab where id in (select a.id from unnest(t_id, t_last) as a (id, last) where a.last);
end $$;

-- Writes a call that had ended on a tab when its gateway was killed, and charges it: to the tab, or to the balance if the
-- tab was given back meanwhile, as far as that goes. One that was written before stays as it is.
create function tab_replay(p_call jsonb) returns void language plpgsql as $$
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

-- Gives back what the tabs of gateways that are gone hold. Resolves to their number.
create function release_abandoned_tabs() returns integer language plpgsql as $$
declare
  t record;
  released integer := 0;
begin
  for t in select id, account_id from tab where not gateway_lives(gateway_id) order by account_id, id loop
    perform 1 from balance where account_id = t.account_id for update;
    delete from tab where id = t.id returning * into t;
    continue when not found;
    update balance set available = available + t.held, held = held - t.held, in_flight = in_flight - t.places
      where account_id = t.account_id;
    update inference_day set held = held - t.held where account_id = t.account_id and day = t.day;
    released := released + 1;
  end loop;
  return released;
end $$;

-- What is held of each account, and by what.
create view open_hold as
  select account_id, held, (not job)::integer as calls from call where state = 'held'
  union all
  select account_id, held, places from tab;

-- No statement reads by them, and every charge writes them.
drop index transfer_by_debit;
drop index transfer_by_credit;

-- Empty when the books are right.
create or replace view ledger_problem as
  with posted as (select account_id, sum(amount)::bigint as amount from posting group by 1),
  open as (select account_id, sum(held)::bigint as held, sum(calls)::integer as calls from open_hold group by 1),
  charges as (select call_id, sum(amount)::bigint as amount from transfer where kind = 'charge' group by 1),
  inference as (
    select account_id, (created_at at time zone 'utc')::date as day, held from call
      where state = 'held' and key_id is not null and is_inference(action)
    union all
    select account_id, day, held from tab
  ),
  inference_open as (select account_id, day, sum(held)::bigint as held from inference group by 1, 2)
  select 'a balance is not the sum of its postings' as rule, b.account_id::text as subject,
    (b.available + b.held)::text as found, coalesce(p.amount, 0)::text as expected
  from balance b left join posted p using (account_id) where b.available + b.held <> coalesce(p.amount, 0)
  union all
  select 'an amount is held that no open call holds', b.account_id::text, b.held::text, coalesce(o.held, 0)::text
  from balance b left join open o using (account_id) where b.held <> coalesce(o.held, 0)
  union all
  select 'calls in flight are not the open calls', b.account_id::text, b.in_flight::text, coalesce(o.calls, 0)::text
  from balance b left join open o using (account_id) where b.in_flight <> coalesce(o.calls, 0)
  union all
  select 'inference is held that no open call holds', d.account_id::text || ' ' || d.day::text, d.held::text, coalesce(o.held, 0)::text
  from inference_day d left join inference_open o using (account_id, day) where d.held <> coalesce(o.held, 0)
  union all
  select 'a call is charged otherwise than posted', c.id::text, c.charged::text, coalesce(t.amount, 0)::text
  from call c left join charges t on t.call_id = c.id where c.charged <> coalesce(t.amount, 0)
  union all
  select 'a failed call was charged', c.id::text, c.charged::text, '0' from call c where c.state = 'voided' and c.charged > 0
  union all
  select 'a charge belongs to no call', t.call_id::text, t.amount::text, 'no charge'
  from charges t where not exists (select 1 from call c where c.id = t.call_id)
  union all
  select 'postings name an account that does not exist', p.account_id::text, p.amount::text, 'no posting'
  from posted p where not exists (select 1 from account a where a.id = p.account_id)
  union all
  select 'a call belongs to an account without a balance', c.account_id::text, count(*)::text, '0'
  from call c where not exists (select 1 from balance b where b.account_id = c.account_id) group by c.account_id
  union all
  select 'the books do not sum to zero', 'all', sum(amount)::text, '0' from posting having sum(amount) <> 0;
