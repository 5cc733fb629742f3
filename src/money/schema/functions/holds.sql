create type hold_request as (
  call uuid, account uuid,
  -- Null for a wallet.
  key uuid,
  action text, inference boolean, amount bigint, idempotency text, digest bytea, lifetime_ms bigint,
  job boolean, input text,
  -- It asks no model and no vendor, so it costs the operator nothing. Null: it may.
  costless boolean,
  -- It is one of so many calls of the action that its account has free today. Null: it is not.
  free_per_day integer
);

-- Near the limit of what its calls may cost without a charge, an account has at most so many of them in flight: what
-- they cost is counted only when they end.
create function uncharged_at_once_max() returns integer language sql immutable as $$ select 4 $$;

-- Why a call that may cost the operator something is not taken now. Null: it is.
create function uncharged_refusal(h hold_request, b balance) returns text language sql stable as $$
  select case uncharged_state(h.account, h.key)
    when 'spent' then 'uncharged_cap'
    when 'near' then case when b.in_flight >= uncharged_at_once_max() then 'uncharged_busy' end
    else case when not h.job and is_uncharged_burst(h.account, b.held) then 'uncharged_busy' end
  end
$$;

-- The call that has an idempotency key, and what that means for another request with it. No row: the key is free.
create function call_of_key(p_account uuid, p_idempotency text, p_action text, p_digest bytea)
returns table (outcome text, earlier uuid) language sql stable as $$
  select case when c.action <> p_action or c.request_digest <> p_digest then 'mismatch'
      when c.state = 'held' and not c.job then 'in_progress' else 'replay' end, c.id
  from call c where c.account_id = p_account and c.idempotency_key = p_idempotency
$$;

-- Holds the price of a call and claims its idempotency key. The caller of this function has locked the account's
-- balance row. `p_at_once_max` limits all calls of the account in flight, or for a job, the open jobs of its action.
create function ledger_hold(
  p_gateway integer, h hold_request, p_at_once_max integer,
  out outcome text, out available bigint, out earlier uuid
) language plpgsql as $$
declare
  b balance;
  c record;
  alike integer;
begin
  select * into b from balance where account_id = h.account;
  if not found then outcome := 'key_invalid'; return; end if;
  if b.grants_expire_at <= now() then
    perform expire_grants(h.account);
    select * into b from balance where account_id = h.account;
  end if;
  available := b.available;
  alike := b.in_flight;
  -- A batch without a reply is sent again, with the same ids.
  select id, state into c from call where id = h.call;
  if found then outcome := case c.state when 'held' then 'held' else 'expired' end; return; end if;
  if h.idempotency is not null then
    select k.outcome, k.earlier into outcome, earlier from call_of_key(h.account, h.idempotency, h.action, h.digest) k;
    if found then return; end if;
  end if;
  if h.job then
    select count(*) into alike from call where account_id = h.account and action = h.action and state = 'held' and job;
  end if;
  if alike >= p_at_once_max then outcome := 'too_many_inflight'; return; end if;
  -- A top-up brings money.
  if (h.amount > 0 or h.inference) and h.costless is not true and h.action <> 'topups' then
    outcome := uncharged_refusal(h, b);
    if outcome is not null then return; end if;
  end if;
  if b.available < h.amount then outcome := 'insufficient'; return; end if;
  insert into call (id, account_id, key_id, action, inference, idempotency_key, request_digest, held, gateway_id, job, input,
      within_free_calls, expires_at)
    values (h.call, h.account, h.key, h.action, h.inference and h.key is not null, h.idempotency,
      case when h.idempotency is not null then h.digest end, h.amount,
      p_gateway, h.job, h.input, h.free_per_day is not null, now() + h.lifetime_ms * interval '1 ms')
    on conflict (account_id, idempotency_key) where idempotency_key is not null do nothing;
  if not found then
    -- A claim on a lease came between the look at the key and the row.
    select k.outcome, k.earlier into outcome, earlier from call_of_key(h.account, h.idempotency, h.action, h.digest) k;
    outcome := coalesce(outcome, 'in_progress');
    return;
  end if;
  outcome := spend(h);
  -- A free call has spent nothing, so there is nothing to undo.
  if outcome is null and h.free_per_day is not null and not take_free_call(h.account, h.action, h.free_per_day) then
    outcome := 'free_calls_used';
  end if;
  if outcome is not null then
    delete from call where id = h.call;
    return;
  end if;
  update balance set available = balance.available - h.amount, held = held + h.amount, in_flight = in_flight + (not h.job)::integer
    where account_id = h.account;
  available := spendable(h.account, '{}');
  outcome := 'held';
end $$;

-- Claims the idempotency keys of calls whose amounts are reserved on leases of this gateway. The unique index decides
-- between requests with the same key; keys are taken in one order, so two gateways never wait for each other. Repeating
-- a claim changes nothing. `place` counts the requests from one.
create function ledger_claim(p_gateway integer, p_claims jsonb)
returns table (kind text, place integer, outcome text, available bigint, earlier uuid)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  claims hold_request[] := array(select c from jsonb_populate_recordset(null::hold_request, p_claims) c);
begin
  insert into call (id, account_id, key_id, action, inference, idempotency_key, request_digest, held, gateway_id, on_lease,
      expires_at)
    select c.call, c.account, c.key, c.action, c.inference, c.idempotency, c.digest, c.amount, p_gateway, true,
      now() + c.lifetime_ms * interval '1 ms'
    from unnest(claims) c order by c.account, c.idempotency
    on conflict do nothing;
  -- A key that was taken when the row was to be inserted, and is free by now, belonged to a call under way.
  return query
    select 'claim', c.place::integer,
      case own.state when 'held' then 'held' when 'settled' then 'expired' when 'voided' then 'expired'
        else coalesce(other.outcome, 'in_progress') end,
      null::bigint, other.earlier
    from unnest(claims) with ordinality
      as c (call, account, key, action, inference, amount, idempotency, digest, lifetime_ms, job, input, costless,
        free_per_day, place)
    left join call own on own.id = c.call
    left join lateral call_of_key(c.account, c.idempotency, c.action, c.digest) other on own.id is null;
end $$;
