-- Raises the hold of an open call towards a target: as far as the balance and the limits of the call's key allow.
-- Returns what the call holds then, or null when it has ended. Repeating it changes nothing more than a larger balance
-- allows.
--
-- The amount counts for the day on which the call began, because that is where the end of the call gives the rest back.
create function extend_hold(p_call uuid, p_target bigint) returns bigint language plpgsql as $$
declare
  c record;
  b record;
  v_more bigint;
begin
  select account_id into c from call where id = p_call;
  if not found then return null; end if;
  perform 1 from balance where account_id = c.account_id for update;
  perform expire_credit(c.account_id);
  select available into b from balance where account_id = c.account_id;
  select account_id, key_id, action, held, utc_day(created_at) as day into c from call where id = p_call and state = 'held';
  if not found then return null; end if;
  -- A null, for a call without a key or a key without limits, does not limit.
  v_more := greatest(0, least(p_target - c.held, b.available, key_left(c.key_id, c.action, c.day),
    (select k.call_micros_max - c.held from api_key k where k.id = c.key_id),
    (select 0 from account a where a.id = c.account_id and a.frozen_at is not null)));
  if v_more = 0 then return c.held; end if;
  update balance set available = available - v_more, held = held + v_more where account_id = c.account_id;
  update key_spend set micros = micros + v_more where key_id = c.key_id and starts = period_start(period, c.day);
  update call set held = held + v_more where id = p_call;
  return c.held + v_more;
end $$;

-- The most that an open call may hold by the limits that its key has now. Null: they do not limit it.
create function hold_max(c call) returns bigint language sql stable as $$
  select case when not key_allows(k, c.action) then 0 else least(k.call_micros_max, (
      select min(greatest(0, c.held + l.micros_max - coalesce(s.micros, c.held))) from amount_limits(k) l
      left join key_spend s
        on s.key_id = k.id and s.period = l.period and s.starts = period_start(l.period, utc_day(c.created_at))
    )) end
  from api_key k where k.id = c.key_id
$$;

-- Lowers the hold of an open call to what the limits of its key allow since these were changed, but never below what it
-- has cost so far (`p_least`). Returns what the call holds then, or null when it has ended.
create function fit_hold(p_call uuid, p_least bigint) returns bigint language plpgsql as $$
declare
  c call;
  v_held bigint;
begin
  select * into c from call where id = p_call and state = 'held';
  if not found or c.held <= p_least or coalesce(hold_max(c), c.held) >= c.held then return c.held; end if;
  perform 1 from balance where account_id = c.account_id for update;
  select * into c from call where id = p_call and state = 'held';
  if not found then return null; end if;
  v_held := least(c.held, greatest(p_least, coalesce(hold_max(c), c.held)));
  if v_held = c.held then return c.held; end if;
  update balance set available = available + c.held - v_held, held = held - c.held + v_held
    where account_id = c.account_id;
  update key_spend set micros = micros - c.held + v_held
    where key_id = c.key_id and starts = period_start(period, utc_day(c.created_at));
  update call set held = v_held where id = p_call;
  return v_held;
end $$;
