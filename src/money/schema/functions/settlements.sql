create type settlement as (
  call uuid, account uuid, state text, charged bigint, cost bigint, error text, message text, output text, timeline jsonb
);

-- Ends a held call: charges it, gives back the rest, stores the answer. A void charges nothing. A call on a lease can
-- only be voided here, when its gateway is gone or no longer waits for its claim; the lease keeps its amount and its
-- place.
create function ledger_settle(s settlement, out outcome text, out available bigint) language plpgsql as $$
declare
  c record;
  grants_expire_at timestamptz;
begin
  select account_id, key_id, state, job, on_lease, case when on_lease then 0 else held end as held, charged, created_at,
      available_after into c from call where id = s.call;
  if not found then outcome := 'gone'; return; end if;
  if c.state <> 'held' or s.charged > c.held then
    -- A batch without a reply is sent again.
    outcome := case when c.state = s.state and c.charged = s.charged then 'done' else 'gone' end;
    available := c.available_after;
    return;
  end if;
  update balance b set available = b.available + c.held - s.charged, held = b.held - c.held,
    in_flight = b.in_flight - (not c.job and not c.on_lease)::integer
    where b.account_id = c.account_id returning b.grants_expire_at into grants_expire_at;
  available := spendable(c.account_id, '{}');
  update call set state = s.state, charged = s.charged, cost = s.cost, error = s.error, message = s.message,
    output = s.output, input = null, progress = null, timeline = s.timeline, available_after = ledger_settle.available,
    ended_at = clock_timestamp(),
    -- A failed call frees its key, so that the caller may try again with it.
    idempotency_key = case s.state when 'settled' then idempotency_key end
    where id = s.call;
  if s.charged > 0 then perform post(s.call, 'charge', c.account_id, house('revenue'), s.charged); end if;
  if c.held > s.charged then
    update key_spend set micros = micros - (c.held - s.charged)
      where key_id = c.key_id and starts = period_start(period, utc_day(c.created_at));
  end if;
  if grants_expire_at is not null then
    perform spend_grants(c.account_id, s.charged, c.created_at);
    perform expire_grants(c.account_id);
    available := spendable(c.account_id, '{}');
  end if;
  outcome := 'done';
end $$;

-- One event-loop turn of a gateway: first its settlements, which free what holds may need, then its holds, each in
-- order. Repeating a commit changes nothing. `place` counts the settlements, and the holds, from one. Unless it waits,
-- what belongs to an account that another transaction has locked is not made, and its outcome is `busy`.
--
-- The plans are made once: planning costs more than running them. Sequential scans are off because a plan made while
-- the tables were empty would otherwise read them from end to end.
create function ledger_commit_turn(
  p_gateway integer, p_in_flight_max integer, p_settlements jsonb, p_holds jsonb, p_waits boolean
)
returns table (kind text, place integer, outcome text, available bigint, earlier uuid)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  settlements settlement[] := array(select s from jsonb_populate_recordset(null::settlement, p_settlements) s);
  holds hold_request[] := array(select h from jsonb_populate_recordset(null::hold_request, p_holds) h);
  accounts uuid[] := array(select s.account from unnest(settlements) s union select h.account from unnest(holds) h);
  locked uuid[];
begin
  if p_waits then
    -- Always in the same order, so that two gateways with the same accounts in their batches never deadlock.
    perform 1 from balance where account_id = any (accounts) order by account_id for update;
    locked := accounts;
  else
    locked := array(select account_id from balance where account_id = any (accounts) for update skip locked);
    if cardinality(locked) < cardinality(accounts) then
      return query select 'settle', n, 'busy', null::bigint, null::uuid
        from generate_subscripts(settlements, 1) n where settlements[n].account <> all (locked);
      return query select 'hold', n, 'busy', null::bigint, null::uuid
        from generate_subscripts(holds, 1) n where holds[n].account <> all (locked);
    end if;
  end if;
  return query select 'settle', n, s.outcome, s.available, null::uuid
    from generate_subscripts(settlements, 1) n, lateral ledger_settle(settlements[n]) s
    where settlements[n].account = any (locked);
  return query select 'hold', n, h.outcome, h.available, h.earlier
    from generate_subscripts(holds, 1) n, lateral ledger_hold(p_gateway, holds[n], p_in_flight_max) h
    where holds[n].account = any (locked);
end $$;

-- The same as gateways of earlier versions call it: it waits.
create function ledger_commit(p_gateway integer, p_in_flight_max integer, p_settlements jsonb, p_holds jsonb)
returns table (kind text, place integer, outcome text, available bigint, earlier uuid) language sql as $$
  select * from ledger_commit_turn(p_gateway, p_in_flight_max, p_settlements, p_holds, true)
$$;
