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
