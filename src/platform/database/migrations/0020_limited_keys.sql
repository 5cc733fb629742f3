-- A key with a limit, a list of actions or an end is limited: it manages no keys and reads only its own calls.
create function key_is_limited(k api_key) returns boolean language sql immutable as $$
  select num_nonnulls(k.call_micros_max, k.day_micros_max, k.month_micros_max, k.actions, k.expires_at) > 0
$$;

alter table api_key
  -- The key that issued it; null where the operator did, or the account's sign-up.
  add column created_by uuid references api_key,
  -- To the minute: a key that is in use is written down once a minute.
  add column last_used_at timestamptz;

-- While an account is frozen its keys are refused.
alter table account add column frozen_at timestamptz, add column frozen_reason text;

-- A limited key lists its own calls, and every key's spending is the sum of its calls.
create index call_by_key on call (key_id, id desc) where key_id is not null;

-- What was issued to one key of an account is not shown to a limited key of the same account. Zero: no key is known.
alter table vendor_handle
  add column key_id uuid not null default '00000000-0000-0000-0000-000000000000',
  drop constraint vendor_handle_pkey,
  add primary key (namespace, kind, id, account_id, key_id);

-- The smallest UUID of version 7 that is made at this time or later.
create function uuid_floor(p_time timestamptz) returns uuid language sql immutable as $$
  select (lpad(to_hex(floor(extract(epoch from p_time) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid
$$;

-- When the current day or month began (UTC).
create function window_start(p_period text) returns timestamptz language sql stable as $$
  select date_trunc(p_period, now() at time zone 'utc') at time zone 'utc'
$$;

-- What a key has spent in the current day or month, and what its calls under way may still cost. The ids of calls are made
-- by the clocks of gateways, which may differ from the database's.
create function key_spent(p_key uuid, p_period text) returns bigint language sql stable as $$
  select coalesce(sum(case state when 'held' then held else charged end), 0)::bigint from call
  where key_id = p_key and id >= uuid_floor(window_start(p_period) - interval '10 minutes')
    and created_at >= window_start(p_period)
$$;

-- Begins or ends the count that a daily or monthly limit is held to. The balance row of the key's account is locked, so no
-- hold or settlement of the account is under way. Without a limit nothing is counted, so a count must not be left behind:
-- calls that were held without it would be given back to it.
create function key_count_spending(p_key uuid) returns void language plpgsql as $$
declare
  k record;
begin
  select * into k from api_key where id = p_key;
  delete from key_spend where key_id = p_key;
  insert into key_spend (key_id, period, starts, micros)
    select p_key, v.period, date_trunc(v.period, now() at time zone 'utc')::date, key_spent(p_key, v.period)
    from (values ('day', k.day_micros_max), ('month', k.month_micros_max)) as v (period, most) where v.most is not null;
end $$;
