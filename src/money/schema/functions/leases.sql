-- What a lease asks for in one turn.
create type lease_turn as (
  lease uuid, account uuid, key uuid, action text,
  -- The turns of a lease count from one; the first turn creates it.
  turn integer,
  take bigint,
  -- A smaller grant is of no use.
  least bigint,
  take_places integer, give bigint, give_places integer,
  -- The lease ends with this turn and gives back everything.
  last boolean,
  -- Whether its calls run language models. Null, from a gateway of an earlier version: they do.
  inference boolean,
  -- What the calls under way may cost. Null, from a gateway of an earlier version: all of the lease.
  reserved bigint
);

-- A call that ended on a lease, as its gateway writes it.
create type lease_call as (
  lease uuid, gateway integer, id uuid, account uuid, key uuid, action text, state text, held bigint, charged bigint, cost bigint,
  error text, message text, timeline jsonb, started_ms bigint,
  -- It has had its row since its idempotency key was claimed; `output` is the answer for that key. The key and the
  -- digest are repeated here, because a failover may have lost the row.
  claimed boolean, output text, idempotency text, digest bytea,
  -- Whether it may run a language model. Null, from a gateway of an earlier version: it may.
  inference boolean
);

-- What the limits of a key leave for a lease. Nothing where the key may not run the action; null without a key, or
-- without limits that count amounts.
create function key_left(p_key uuid, p_action text, p_day date) returns bigint language plpgsql stable as $$
begin
  return (
    select case when not key_is_valid(k) or not key_allows(k, p_action) then 0 else (
        select min(greatest(0, l.micros_max - coalesce(s.micros, 0))) from amount_limits(k) l
        left join key_spend s on s.key_id = k.id and s.period = l.period and s.starts = period_start(l.period, p_day)
      ) end
    from api_key k where k.id = p_key
  );
end $$;

-- What accounts can spend, with what their leases have to spare: it is given back when another call needs it.
-- `p_turns`: turns that their leases have not taken yet.
create function spendable_of(p_accounts uuid[], p_turns lease_turn[]) returns table (account uuid, micros bigint)
language sql stable as $$
  select b.account_id, b.available + coalesce(s.spare, 0)::bigint from balance b left join (
    select l.account_id, sum(l.held - coalesce(case when t.lease is null then l.reserved else t.reserved end, l.held)) as spare
    from lease l left join unnest(p_turns) t on t.lease = l.id where l.account_id = any (p_accounts) group by l.account_id
  ) s on s.account_id = b.account_id
  where b.account_id = any (p_accounts)
$$;

-- The same of one account.
create function spendable(p_account uuid, p_turns lease_turn[]) returns bigint language sql stable as $$
  select micros from spendable_of(array[p_account], p_turns)
$$;

-- What their accounts can spend after each of these calls. `p_turns`: turns that their leases have not taken yet.
create function available_after(p_calls lease_call[], p_turns lease_turn[]) returns table (call uuid, micros bigint)
language sql stable as $$
  select c.id, s.micros - sum(c.charged) over (partition by c.account order by c.place)
  from unnest(p_calls) with ordinality
    as c (lease, gateway, id, account, key, action, state, held, charged, cost, error, message, timeline, started_ms, claimed,
      output, idempotency, digest, inference, place)
  join spendable_of(array(select distinct account from unnest(p_calls)), p_turns) s using (account)
$$;

-- Writes calls that ended on leases, and posts their charges. Returns those that had not ended before: a call with a
-- row ends only while that row is held, so a call that was voided meanwhile is not charged, and its key may have been
-- used again. `p_turns`: the turns that these calls came with, and that their leases have not taken yet.
create function end_calls_of_turns(p_calls lease_call[], p_turns lease_turn[]) returns lease_call[] language plpgsql as $$
declare
  any_claimed boolean;
  ended uuid[];
begin
  select bool_or(claimed) into any_claimed from unnest(p_calls);
  with inserted as (
    insert into call (id, account_id, key_id, action, inference, state, held, charged, cost, error, message, timeline, gateway_id,
        on_lease, idempotency_key, request_digest, output, available_after, created_at, expires_at, ended_at)
      select c.id, c.account, c.key, c.action, c.inference is not false, c.state, c.held, c.charged, c.cost, c.error, c.message,
        c.timeline, c.gateway, c.claimed is true, case c.state when 'settled' then c.idempotency end, c.digest, c.output,
        a.micros, to_timestamp(c.started_ms / 1000.0), clock_timestamp(), clock_timestamp()
      from unnest(p_calls) c join available_after(p_calls, p_turns) a on a.call = c.id
      where c.claimed is not true or not exists (select 1 from call o where o.id = c.id)
      -- The call has ended before. Or its row was lost, and its key has been used again.
      on conflict do nothing
      returning id
  )
  select coalesce(array_agg(id), '{}') into ended from inserted;
  if any_claimed then
    with ended_claims as (
      update call o set state = c.state, charged = c.charged, cost = c.cost, error = c.error, message = c.message,
          output = c.output, timeline = c.timeline, available_after = a.micros, ended_at = clock_timestamp(),
          idempotency_key = case c.state when 'settled' then o.idempotency_key end
        from unnest(p_calls) c join available_after(p_calls, p_turns) a on a.call = c.id
        where c.claimed and o.id = c.id and o.state = 'held' and o.on_lease
        returning o.id
    )
    select ended || coalesce(array_agg(id), '{}') into ended from ended_claims;
  end if;
  insert into transfer (call_id, debit, credit, amount, kind)
    select id, account, house('revenue'), charged, 'charge' from unnest(p_calls) where charged > 0 and id = any (ended);
  return array(select c from unnest(p_calls) c where c.id = any (ended));
end $$;

-- The same for calls that came with no turn.
create function end_lease_calls(p_calls lease_call[]) returns setof lease_call language sql as $$
  select * from unnest(end_calls_of_turns(p_calls, '{}'))
$$;

-- One turn of some leases of a gateway, at most one for each account. First it writes and charges the calls that ended
-- on them. Then each lease gives back what it does not need, and takes more: all that it asks for, limited to one part
-- in `p_share` of what the account and the key have left, and nothing if that is less than its least. The last turn of
-- a lease gives everything back.
--
-- A turn counts only if it follows the last one of its lease. The result has no row for any other turn, of which
-- nothing is written: the lease is gone, or the database has forgotten a turn in a crash. A turn that is repeated
-- changes nothing, and its grant is in the result again.
--
-- `gone`: the calls with a claim that the books have ended otherwise. They were voided while their gateway was taken for
-- dead, and their keys may have been used again.
--
-- `spendable`: what the account can spend after the calls of this turn, with what its leases have to spare.
--
-- `p_durable`: the answer means that everything that this server has committed so far is on its disk.
create function lease_commit_turns(
  p_gateway integer, p_in_flight_max integer, p_share integer, p_turns jsonb, p_calls jsonb, p_durable boolean
)
returns table (
  id uuid, granted bigint, granted_places integer, lives_ms bigint, call_micros_max bigint, gone uuid[], spendable bigint
)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
#variable_conflict use_column
declare
  turns lease_turn[] := array(select t from jsonb_populate_recordset(null::lease_turn, p_turns) t);
  calls lease_call[] := array(select c from jsonb_populate_recordset(null::lease_call, p_calls) c);
  accounts uuid[];
  any_first boolean;
  any_last boolean;
  any_claimed boolean;
  any_grants boolean;
  following lease_turn[];
  ended lease_call[] := '{}';
  otherwise uuid[] := '{}';
  -- Leases whose account or key has caused nearly as much without a charge as it may.
  near uuid[];
begin
  -- A commit without changes does not wait for the disk, and a message in the log is a change.
  if p_durable then perform pg_logical_emit_message(true, 'tollway', '');
  else perform set_config('synchronous_commit', 'off', true);
  end if;
  select array_agg(t.account), bool_or(t.turn = 1), bool_or(t.last), (select bool_or(c.claimed) from unnest(calls) c)
    into accounts, any_first, any_last, any_claimed from unnest(turns) t;
  select bool_or(b.grants_expire_at is not null) into any_grants
    from (select grants_expire_at from balance where account_id = any (accounts) order by account_id for update) b;
  if any_grants then perform expire_credit(account) from unnest(accounts) account; end if;

  if any_first then
    insert into lease (id, gateway_id, account_id, key_id, action, inference)
      select t.lease, p_gateway, t.account, t.key, t.action, t.inference is not false from unnest(turns) t where t.turn = 1
      on conflict do nothing;
    insert into inference_day (account_id, day)
      select l.account_id, l.day from unnest(turns) t join lease l on l.id = t.lease where t.turn = 1 and l.inference
      on conflict do nothing;
    insert into key_spend (key_id, period, starts, micros)
      select k.id, m.period, period_start(m.period, l.day), 0
      from unnest(turns) t join lease l on l.id = t.lease join api_key k on k.id = l.key_id, lateral amount_limits(k) m
      where t.turn = 1
      on conflict do nothing;
  end if;

  -- The one condition for calls, postings and balances alike.
  following := array(select t from unnest(turns) t join lease l on l.id = t.lease and l.turn = t.turn - 1);
  -- Most turns of chats only change their lease.
  if cardinality(calls) > 0 then
    ended := end_calls_of_turns(array(select c from unnest(calls) c join unnest(following) t on t.lease = c.lease), following);
    if any_claimed then
      otherwise := array(select c.id from unnest(calls) c
        where c.claimed and not exists (select 1 from call o where o.id = c.id and o.state = c.state));
    end if;
    -- The lease of an account takes the calls of all its keys without limits. A key that got a limit while its calls
    -- were under way counts them when they end. The lease of a key with limits counts by itself, below.
    update key_spend k set micros = k.micros + e.charged
      from (
        select c.key, l.day, sum(c.charged)::bigint as charged from unnest(ended) c join lease l on l.id = c.lease
        where l.key_id is null group by c.key, l.day
      ) e
      where k.key_id = e.key and k.starts = period_start(k.period, e.day);
  end if;
  near := array(select l.id from unnest(turns) t join lease l on l.id = t.lease
    join (select distinct account_id from uncharged_day where account_id = any (accounts) and day = utc_day(now())) u
      on u.account_id = l.account_id
    where uncharged_state(l.account_id, l.key_id) is not null);

  with asked as (
    select l.id, l.account_id, l.key_id, l.day, t.take, t.least, t.take_places, t.reserved, l.inference,
      coalesce(s.charged, 0) as spent,
      case when t.last then l.held - coalesce(s.charged, 0) else t.give end as give,
      case when t.last then l.places else t.give_places end as give_places,
      -- Calls without language models have no row of the day, and no cap.
      least(b.available, i.micros_max - d.spent - d.held, case when t.take > 0 and l.key_id is not null then
        key_left(l.key_id, l.action, l.day) end) / p_share as micros_left,
      (p_in_flight_max - b.in_flight) / p_share as places_left,
      t.take + t.take_places > 0 and l.id <> all (near)
        and (l.inference or not is_uncharged_burst(l.account_id, b.held)) as may_take
    from unnest(following) t
    join lease l on l.id = t.lease
    join balance b on b.account_id = l.account_id
    join inference_cap i on i.only_row
    left join inference_day d on d.account_id = l.account_id and d.day = l.day and l.inference
    left join (select c.lease, sum(c.charged)::bigint as charged from unnest(ended) c group by c.lease) s on s.lease = l.id
  ), decided as (
    select *, case when fits then least(take, micros_left) else 0 end as micros,
      case when fits then greatest(0, least(take_places, places_left)) else 0 end as more_places
    from (select *, may_take and least(take, micros_left) >= least and (take_places = 0 or places_left > 0) as fits from asked) a
  ), balanced as (
    update balance b set available = b.available + d.give - d.micros, held = b.held - d.spent - d.give + d.micros,
        in_flight = b.in_flight - d.give_places + d.more_places
      from decided d where b.account_id = d.account_id
  ), spent_today as (
    update inference_day i set spent = i.spent + d.spent, held = i.held - d.spent - d.give + d.micros
      from decided d where i.account_id = d.account_id and i.day = d.day and d.inference
  ), counted_for_key as (
    update key_spend k set micros = k.micros - d.give + d.micros
      from decided d where k.key_id = d.key_id and k.starts = period_start(k.period, d.day)
  )
  update lease l set held = l.held - d.spent - d.give + d.micros, places = l.places - d.give_places + d.more_places,
      turn = l.turn + 1, granted = d.micros, granted_places = d.more_places, reserved = d.reserved
    from decided d where l.id = d.id;

  return query
    select l.id, l.granted, l.granted_places,
      -- Near the cap the lease ends, and each call is held by itself.
      case when l.id = any (near) then 0 else
        (extract(epoch from least((l.day + 1)::timestamp at time zone 'utc', k.expires_at) - now()) * 1000)::bigint end,
      k.call_micros_max, otherwise, s.micros
    from unnest(turns) t join lease l on l.id = t.lease and l.turn = t.turn join spendable_of(accounts, '{}') s on s.account = l.account_id
    left join api_key k on k.id = l.key_id;
  if any_grants then
    perform spend_grants(e.account, e.charged, e.began) from (
      select c.account, l.created_at as began, sum(c.charged)::bigint as charged
      from unnest(ended) c join lease l on l.id = c.lease join balance b on b.account_id = c.account
      where b.grants_expire_at is not null group by 1, 2
    ) e;
  end if;
  if any_last then delete from lease l using unnest(following) t where t.last and l.id = t.lease; end if;
  if any_grants then perform expire_credit(account) from unnest(accounts) account; end if;
end $$;

-- The same as gateways of earlier versions call it.
create function lease_commit(
  p_gateway integer, p_in_flight_max integer, p_share integer, p_turns jsonb, p_calls jsonb, p_durable boolean
)
returns table (id uuid, granted bigint, granted_places integer, lives_ms bigint, call_micros_max bigint, gone uuid[])
language sql as $$
  select id, granted, granted_places, lives_ms, call_micros_max, gone
  from lease_commit_turns(p_gateway, p_in_flight_max, p_share, p_turns, p_calls, p_durable)
$$;

-- Which of these calls the books do not have, or not ended.
create function unwritten_calls(p_ids uuid[]) returns setof uuid language sql stable as $$
  select i.id from unnest(p_ids) i (id) where not exists (select 1 from call c where c.id = i.id and c.state <> 'held')
$$;

-- Writes a call whose lease is gone, or whose gateway was killed before it could, and charges it: to what its lease
-- holds, and the rest, as far as it goes, to the balance. A lease that was released has nothing left, and one that
-- forgot a turn in a crash may have less than its calls reserved. False: the books have ended the call otherwise, or
-- its key has been used again.
create function lease_replay(p_call jsonb) returns boolean language plpgsql as $$
declare
  c lease_call := jsonb_populate_record(null::lease_call, p_call);
  l lease;
  b record;
  from_lease bigint;
begin
  select available into b from balance where account_id = c.account for update;
  if not found then return false; end if;
  select * into l from lease where id = c.lease;
  l.held := coalesce(l.held, 0);
  l.day := coalesce(l.day, utc_day(to_timestamp(c.started_ms / 1000.0)));
  c.charged := least(c.charged, l.held + b.available);
  from_lease := least(c.charged, l.held);
  perform 1 from end_lease_calls(array[c]);
  if not found then return exists (select 1 from call where id = c.id and state = c.state); end if;
  update balance set available = available - (c.charged - from_lease), held = held - from_lease where account_id = c.account;
  update lease set held = held - from_lease where id = l.id;
  if c.inference is not false then
    insert into inference_day as i (account_id, day, spent) values (c.account, l.day, c.charged)
      on conflict (account_id, day) do update set spent = i.spent + excluded.spent, held = i.held - from_lease;
  end if;
  -- The lease of a key with limits has counted what it holds.
  update key_spend set micros = micros + c.charged - case when l.key_id is null then 0 else from_lease end
    where key_id = c.key and starts = period_start(period, l.day);
  perform spend_grants(c.account, c.charged, coalesce(l.created_at, now()));
  perform expire_credit(c.account);
  return true;
end $$;

-- Gives back what a lease holds, and removes it. False if it is gone.
create function release_lease(p_lease uuid) returns boolean language plpgsql as $$
declare
  l lease;
begin
  perform 1 from balance where account_id = (select account_id from lease where id = p_lease) for update;
  delete from lease where id = p_lease returning * into l;
  if not found then return false; end if;
  update balance set available = available + l.held, held = held - l.held, in_flight = in_flight - l.places
    where account_id = l.account_id;
  update inference_day set held = held - l.held where account_id = l.account_id and day = l.day and l.inference;
  update key_spend set micros = micros - l.held where key_id = l.key_id and starts = period_start(period, l.day);
  perform expire_credit(l.account_id);
  return true;
end $$;

-- Releases the leases of a gateway except those that it knows at the same turn. Returns these: the database has
-- forgotten nothing of them. `p_known` lists leases with their turns.
create function reconcile_leases(p_gateway integer, p_known jsonb) returns setof uuid language plpgsql as $$
declare
  known lease_turn[] := array(select t from jsonb_populate_recordset(null::lease_turn, p_known) t);
begin
  perform release_lease(l.id) from (
    select id from lease where gateway_id = p_gateway
      and not exists (select 1 from unnest(known) t where t.lease = id and t.turn = lease.turn)
    order by account_id, id
  ) l;
  return query select l.id from lease l join unnest(known) t on t.lease = l.id and t.turn = l.turn;
end $$;

-- Gives back what the leases of stopped gateways hold. The gateway that asks lives, also while its connections are
-- broken. Returns their number.
create function release_abandoned_leases(p_gateway integer default null) returns integer language sql as $$
  select count(*) filter (where release_lease(l.id))::integer from (
    select id from lease where gateway_id is distinct from p_gateway and not gateway_lives(gateway_id) order by account_id, id
  ) l
$$;
