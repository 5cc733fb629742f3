-- What limits spending besides the balance: the daily and monthly limits of a key, and the account's inference of a
-- day.

create function utc_day(p_time timestamptz) returns date language sql immutable as $$
  select (p_time at time zone 'utc')::date
$$;

-- The first day of the period ('day' or 'month') that a day belongs to.
create function period_start(p_period text, p_day date) returns date language sql immutable as $$
  select date_trunc(p_period, p_day::timestamp)::date
$$;

-- The limits of a key that need counting.
create function amount_limits(k api_key) returns table (period text, micros_max bigint) language sql immutable as $$
  select * from (values ('day', k.day_micros_max), ('month', k.month_micros_max)) as v (period, micros_max)
  where v.micros_max is not null
$$;

-- Counts an amount against the limits of a key, or says why the key may not spend it, and counts nothing.
create function spend_from_key(h hold_request) returns text language plpgsql as $$
declare
  k api_key;
  spending record;
  today date := utc_day(now());
begin
  select * into k from api_key where id = h.key and account_id = h.account;
  if not found or not key_is_valid(k) then return 'key_invalid'; end if;
  -- Free calls stay open. Those with an idempotency key come here too.
  if h.amount > 0 and not key_allows(k, h.action) then return 'action_not_allowed'; end if;
  if h.amount > k.call_micros_max then return 'key_limit'; end if;
  if k.day_micros_max is null and k.month_micros_max is null then return null; end if;
  for spending in select l.period, l.micros_max, period_start(l.period, today) as starts from amount_limits(k) l loop
    insert into key_spend values (k.id, spending.period, spending.starts, 0) on conflict do nothing;
    update key_spend set micros = micros + h.amount
      where key_id = k.id and period = spending.period and starts = spending.starts and micros + h.amount <= spending.micros_max;
    if not found then
      -- The daily limit may have counted it before the monthly one refused.
      if spending.period = 'month' and k.day_micros_max is not null then
        update key_spend set micros = micros - h.amount where key_id = k.id and period = 'day' and starts = today;
      end if;
      return 'key_limit';
    end if;
  end loop;
  return null;
end $$;

-- Counts an amount against the inference cap and the limits of the key, or says which of them refuses it, and counts
-- nothing. A wallet has no key: its signature alone limits it.
create function spend(h hold_request) returns text language plpgsql as $$
declare
  today date := utc_day(now());
  cap bigint;
  d record;
  refused text;
begin
  if h.key is null then return null; end if;
  if not h.inference then return spend_from_key(h); end if;
  select micros_max into cap from inference_cap where only_row;
  select spent, held into d from inference_day where account_id = h.account and day = today;
  if coalesce(d.spent, 0) + h.amount > cap then return 'inference_cap'; end if;
  if coalesce(d.spent + d.held, 0) + h.amount > cap then return 'inference_busy'; end if;
  refused := spend_from_key(h);
  if refused is not null then return refused; end if;
  insert into inference_day as i (account_id, day, held) values (h.account, today, h.amount)
    on conflict (account_id, day) do update set held = i.held + h.amount;
  return null;
end $$;

-- When an inference call ends, its day gets back the part that was not charged.
create function inference_call_ended() returns trigger language plpgsql as $$
begin
  update inference_day set held = held - new.held, spent = spent + new.charged
    where account_id = new.account_id and day = utc_day(new.created_at);
  return null;
end $$;
create trigger inference_call_ended after update of state on call
  for each row when (old.state = 'held' and new.state <> 'held' and new.inference and not new.on_lease)
  execute function inference_call_ended();

-- What a key has spent in the day or month that begins at this day, and the most that its open calls and leases of that
-- time may still cost. Gateways make the ids of calls, and their clocks may differ from the database's.
create function key_spent_in(p_key uuid, p_period text, p_starts date) returns bigint language sql stable as $$
  with asked as (
    select p_starts::timestamp at time zone 'utc' as starts_at,
      (p_starts + ('1 ' || p_period)::interval) at time zone 'utc' as ends_at
  )
  select (
    select coalesce(sum(charged), 0) from call
    where key_id = p_key and state <> 'held' and id >= uuid_floor((select starts_at from asked) - interval '10 minutes')
      and created_at >= (select starts_at from asked) and created_at < (select ends_at from asked)
  )::bigint + (
    select coalesce(sum(held), 0) from call
    where account_id = (select account_id from api_key where id = p_key) and key_id = p_key and state = 'held'
      and not on_lease and created_at >= (select starts_at from asked) and created_at < (select ends_at from asked)
  )::bigint + (
    select coalesce(sum(held), 0) from lease where key_id = p_key and period_start(p_period, day) = p_starts
  )::bigint
$$;

-- The same of the current day or month.
create function key_spent(p_key uuid, p_period text) returns bigint language sql stable as $$
  select key_spent_in(p_key, p_period, period_start(p_period, utc_day(now())))
$$;

-- The counts of the current day and month that keys have, or should have because a limit needs them.
create view key_count as
  select k.account_id, k.id as key_id, p.period, p.starts, coalesce(s.micros, 0) as micros, key_spent(k.id, p.period) as expected
  from (
    select a.id as key_id, l.period, period_start(l.period, utc_day(now())) as starts from api_key a, lateral amount_limits(a) l
    union
    select key_id, period, starts from key_spend where starts = period_start(period, utc_day(now()))
  ) p
  join api_key k on k.id = p.key_id
  left join key_spend s on s.key_id = p.key_id and s.period = p.period and s.starts = p.starts;

-- Begins or ends the count for a daily or monthly limit. The caller has locked the balance row of the key's account, so
-- no hold or settlement of the account is under way. The count goes with its limit: without one, calls add nothing to
-- it when they are held, and would be given back to it when they end. A call that began on an earlier day and is still
-- open counts for that day, so that day has a count too.
create function key_count_spending(p_key uuid) returns void language plpgsql as $$
begin
  delete from key_spend where key_id = p_key;
  insert into key_spend (key_id, period, starts, micros)
    select k.id, l.period, s.starts, key_spent_in(k.id, l.period, s.starts)
    from api_key k, amount_limits(k) l, lateral (
      select utc_day(now()) as day
      union select utc_day(created_at) from call
        where account_id = k.account_id and key_id = k.id and state = 'held' and not on_lease
      union select day from lease where key_id = k.id
    ) d, lateral (select period_start(l.period, d.day) as starts) s
    where k.id = p_key group by k.id, l.period, s.starts;
end $$;

-- Removes counts of periods that began before this time. Returns their number.
create function forget_key_spend(p_before timestamptz, p_limit integer) returns integer language plpgsql as $$
declare
  v_removed integer;
begin
  delete from key_spend where ctid = any (array(
    select ctid from key_spend where starts < utc_day(p_before) limit p_limit for update skip locked
  ));
  get diagnostics v_removed = row_count;
  return v_removed;
end $$;
