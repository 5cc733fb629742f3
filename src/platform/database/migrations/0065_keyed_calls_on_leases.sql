-- Chats with an idempotency key on a lease. Such a call has its row from the start: the row is the claim of its key, so that all
-- gateways and all actions see it as they see any held call. Its amount and its place belong to the lease, which has them in
-- the balance already, and the turn of the lease that ends it charges it.
alter table call add column on_lease boolean not null default false;

-- `claimed`: the call has its row, and nothing is charged where that row is no longer held.
alter type tab_call add attribute claimed boolean, add attribute output text;

-- The call that has an idempotency key, and what that means for another request with it. No row: the key is free.
create function call_of_key(p_account uuid, p_idempotency text, p_action text, p_digest bytea)
returns table (outcome text, earlier uuid) language sql stable as $$
  select case when c.action <> p_action or c.request_digest <> p_digest then 'mismatch'
      when c.state = 'held' and not c.job then 'in_progress' else 'replay' end, c.id
  from call c where c.account_id = p_account and c.idempotency_key = p_idempotency
$$;

-- Claims the idempotency keys of calls whose amounts are reserved on leases of this gateway. The unique index decides between
-- requests with the same key; it takes the keys in one order, so that two gateways never wait for each other. Repeating it
-- changes nothing.
create function ledger_claim(
  p_gateway integer,
  c_call uuid[], c_account uuid[], c_key uuid[], c_action text[], c_amount bigint[], c_idempotency text[], c_digest bytea[],
  c_lifetime_ms bigint[]
) returns table (kind text, place integer, outcome text, available bigint, earlier uuid)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  insert into call (id, account_id, key_id, action, idempotency_key, request_digest, held, gateway_id, on_lease, expires_at)
    select t.call, t.account, t.key, t.action, t.idempotency, t.digest, t.amount, p_gateway, true,
      now() + t.lifetime_ms * interval '1 ms'
    from unnest(c_call, c_account, c_key, c_action, c_amount, c_idempotency, c_digest, c_lifetime_ms)
      as t (call, account, key, action, amount, idempotency, digest, lifetime_ms)
    order by t.account, t.idempotency
    on conflict do nothing;
  -- A key that was taken when the row was to be inserted, and is free by now, belonged to a call under way.
  return query
    select 'claim', t.place::integer,
      case own.state when 'held' then 'held' when 'settled' then 'expired' when 'voided' then 'expired'
        else coalesce(other.outcome, 'in_progress') end,
      null::bigint, other.earlier
    from unnest(c_call, c_account, c_action, c_idempotency, c_digest)
      with ordinality as t (call, account, action, idempotency, digest, place)
    left join call own on own.id = t.call
    left join lateral call_of_key(t.account, t.idempotency, t.action, t.digest) other on own.id is null;
end $$;

-- As before, but that a claim may come between the look at the key and the row.
create or replace function ledger_hold(
  p_gateway integer, p_call uuid, p_account uuid, p_key uuid, p_action text, p_amount bigint,
  p_idempotency text, p_digest bytea, p_lifetime_ms bigint, p_at_once_max integer,
  p_job boolean default false, p_input text default null,
  out outcome text, out available bigint, out earlier uuid
) language plpgsql as $$
declare
  b record;
  c record;
begin
  select * into b from balance where account_id = p_account;
  if not found then outcome := 'key_invalid'; return; end if;
  available := b.available;
  -- A batch whose reply was lost is sent again, with the same ids.
  select id, state into c from call where id = p_call;
  if found then outcome := case c.state when 'held' then 'held' else 'expired' end; return; end if;
  if p_idempotency is not null then
    select k.outcome, k.earlier into outcome, earlier from call_of_key(p_account, p_idempotency, p_action, p_digest) k;
    if found then return; end if;
  end if;
  if p_job then
    select count(*) into b.in_flight from call where account_id = p_account and action = p_action and state = 'held' and job;
  end if;
  if b.in_flight >= p_at_once_max then outcome := 'too_many_inflight'; return; end if;
  if b.available < p_amount then outcome := 'insufficient'; return; end if;
  insert into call (id, account_id, key_id, action, idempotency_key, request_digest, held, gateway_id, job, input, expires_at)
    values (p_call, p_account, p_key, p_action, p_idempotency, p_digest, p_amount, p_gateway, p_job, p_input,
      now() + p_lifetime_ms * interval '1 ms')
    on conflict (account_id, idempotency_key) where idempotency_key is not null do nothing;
  if not found then
    select k.outcome, k.earlier into outcome, earlier from call_of_key(p_account, p_idempotency, p_action, p_digest) k;
    outcome := coalesce(outcome, 'in_progress');
    return;
  end if;
  outcome := spend_from_key(p_key, p_account, p_action, p_amount);
  if outcome is not null then
    delete from call where id = p_call;
    return;
  end if;
  update balance set available = balance.available - p_amount, held = held + p_amount,
    in_flight = in_flight + (not p_job)::integer
    where account_id = p_account returning balance.available into available;
  outcome := 'held';
end $$;

-- As before; a call on a lease is only voided here, where its gateway is gone or no longer waits for its claim, and the lease
-- keeps its amount and its place.
create or replace function ledger_settle(
  p_call uuid, p_state text, p_charged bigint, p_cost bigint, p_error text, p_message text, p_output text, p_timeline text,
  out outcome text, out available bigint
) language plpgsql as $$
declare
  c record;
begin
  select account_id, key_id, state, job, on_lease, case when on_lease then 0 else held end as held, charged, created_at,
      available_after into c from call where id = p_call;
  if not found then outcome := 'gone'; return; end if;
  if c.state <> 'held' or p_charged > c.held then
    -- A batch whose reply was lost is sent again.
    outcome := case when c.state = p_state and c.charged = p_charged then 'done' else 'gone' end;
    available := c.available_after;
    return;
  end if;
  update balance b set available = b.available + c.held - p_charged, held = b.held - c.held,
    in_flight = b.in_flight - (not c.job and not c.on_lease)::integer
    where b.account_id = c.account_id returning b.available into available;
  update call set state = p_state, charged = p_charged, cost = p_cost, error = p_error, message = p_message,
    output = p_output, input = null, progress = null, timeline = p_timeline::jsonb, available_after = ledger_settle.available, ended_at = clock_timestamp(),
    -- A call that failed frees its key, so that the caller may try again with it.
    idempotency_key = case p_state when 'settled' then idempotency_key end
    where id = p_call;
  if c.job then delete from checkpoint where call_id = p_call; end if;
  if p_charged > 0 then
    insert into transfer (call_id, debit, credit, amount, kind)
      values (p_call, c.account_id, '00000000-0000-7000-8000-000000000001', p_charged, 'charge');
  end if;
  if c.held > p_charged then
    update key_spend k set micros = k.micros - (c.held - p_charged)
      where k.key_id = c.key_id and (k.period = 'day' and k.starts = (c.created_at at time zone 'utc')::date
        or k.period = 'month' and k.starts = date_trunc('month', c.created_at at time zone 'utc')::date);
  end if;
  outcome := 'done';
end $$;

drop trigger inference_call_ended on call;
create trigger inference_call_ended after update of state on call
  for each row when (old.state = 'held' and new.state <> 'held' and new.key_id is not null and not new.on_lease
    and is_inference(new.action))
  execute function inference_call_ended();

-- As before; a call that has its row is ended in it, with the answer for its key.
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

  with written as materialized (
    select c.* from jsonb_populate_recordset(null::tab_call, p_calls) c join tab t on t.id = c.tab
  ), inserted as (
    insert into call (id, account_id, key_id, action, state, held, charged, cost, error, message, timeline, gateway_id,
        created_at, expires_at, ended_at)
      select c.id, c.account, c.key, c.action, c.state, c.held, c.charged, c.cost, c.error, c.message,
        c.timeline, c.gateway, to_timestamp(c.started_ms / 1000.0), clock_timestamp(), clock_timestamp()
      from written c where c.claimed is not true
      on conflict (id) do nothing
      returning id, account_id, key_id, charged
  ), ended_claims as (
    update call o set state = c.state, charged = c.charged, cost = c.cost, error = c.error, message = c.message,
        output = c.output, timeline = c.timeline, ended_at = clock_timestamp(),
        idempotency_key = case c.state when 'settled' then o.idempotency_key end
      from written c where c.claimed and o.id = c.id and o.state = 'held' and o.on_lease
      returning o.id, o.account_id, o.key_id, o.charged
  ), ended as (
    select * from inserted union all select * from ended_claims
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
  if not found then return; end if;
  if c.claimed then
    -- Where it was voided meanwhile, its key may have been used again.
    if not exists (select 1 from call where id = c.id and state = 'held' and on_lease) then return; end if;
  elsif exists (select 1 from call where id = c.id) then return;
  end if;
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
  if c.claimed then
    update call set state = c.state, charged = c.charged, cost = c.cost, error = c.error, message = c.message,
        output = c.output, timeline = c.timeline, ended_at = clock_timestamp(),
        idempotency_key = case c.state when 'settled' then idempotency_key end
      where id = c.id;
  else
    insert into call (id, account_id, key_id, action, state, held, charged, cost, error, message, timeline, gateway_id,
        created_at, expires_at, ended_at)
      values (c.id, c.account, c.key, c.action, c.state, c.held, c.charged, c.cost, c.error, c.message, c.timeline,
        c.gateway, to_timestamp(c.started_ms / 1000.0), clock_timestamp(), clock_timestamp());
  end if;
  if c.charged > 0 then
    insert into transfer (call_id, debit, credit, amount, kind)
      values (c.id, c.account, '00000000-0000-7000-8000-000000000001', c.charged, 'charge');
  end if;
end $$;

-- As before; what a call on a lease may cost counts with the lease.
create or replace function key_spent(p_key uuid, p_period text) returns bigint language sql stable as $$
  select (
    select coalesce(sum(case when state <> 'held' then charged when on_lease then 0 else held end), 0) from call
    where key_id = p_key and id >= uuid_floor(window_start(p_period) - interval '10 minutes')
      and created_at >= window_start(p_period)
  )::bigint + (
    select coalesce(sum(held), 0) from tab
    where key_id = p_key and tab_period(p_period, day) = (window_start(p_period) at time zone 'utc')::date
  )::bigint
$$;

-- What is held of each account, and by what.
create or replace view open_hold as
  select account_id, held, (not job)::integer as calls from call where state = 'held' and not on_lease
  union all
  select account_id, held, places from tab;

-- Empty when the books are right.
create or replace view ledger_problem as
  with posted as (select account_id, sum(amount)::bigint as amount from posting group by 1),
  open as (select account_id, sum(held)::bigint as held, sum(calls)::integer as calls from open_hold group by 1),
  charges as (select call_id, sum(amount)::bigint as amount from transfer where kind = 'charge' group by 1),
  inference as (
    select account_id, (created_at at time zone 'utc')::date as day, held from call
      where state = 'held' and not on_lease and key_id is not null and is_inference(action)
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
