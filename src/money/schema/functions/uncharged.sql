-- What calls cost the operator without costing their caller anything: failed chats, searches that find nothing, answers
-- that fit nothing. Each account may cause so much of it in a day (UTC). Its keys with limits may cause a part of that,
-- so that the holder of such a key cannot stop the account.

-- Calls of wallets have no key.
create function note_uncharged(p_account uuid, p_key uuid, p_micros bigint) returns void language sql as $$
  insert into uncharged_day as u (account_id, day, key_id, micros)
    values (p_account, utc_day(now()), coalesce(p_key, '00000000-0000-0000-0000-000000000000'), p_micros)
    on conflict (account_id, day, key_id) do update set micros = u.micros + excluded.micros
$$;

-- What the calls of an account were charged in the hours since this time.
create function charged_since(p_account uuid, p_since timestamptz) returns bigint language sql stable as $$
  select (
    select coalesce(sum(charged - refunded), 0) from usage_of_account_by_hour
    where account_id = p_account and since >= p_since and action <> 'topups'
  )::bigint + (
    select coalesce(sum(charged - refunded), 0) from usage_event
    where account_id = p_account and quarter >= p_since and action <> 'topups'
  )::bigint
$$;

-- What an account and its keys have caused.
create type uncharged_sums as (
  -- By keys without limits, and by calls without a key.
  by_account bigint, by_limited bigint,
  -- By the key that calls. Null unless it has limits.
  by_key bigint
);

-- How close they are to this much for a day: null, 'near' from three quarters on, 'spent'. Keys with limits together
-- may cause one half of it, each of them one quarter. What they cause beyond their half does not count against the
-- others.
create function uncharged_state_at(s uncharged_sums, p_most bigint) returns text language sql immutable as $$
  select case when bool_or(used >= most) then 'spent' when bool_or(used >= most * 3 / 4) then 'near' end
  from (values
    (s.by_account + least(s.by_limited, p_most / 2), p_most),
    (case when s.by_key is not null then s.by_limited end, p_most / 2),
    (s.by_key, p_most / 4)
  ) part (used, most)
$$;

-- How close an account and its key are to what they may cause today: the cap, and a tenth of what the account was
-- charged today, because an account that pays for many calls also has more that fail.
create function uncharged_state(p_account uuid, p_key uuid) returns text language plpgsql stable as $$
declare
  today date := utc_day(now());
  sums uncharged_sums;
  cap bigint;
begin
  select coalesce(sum(u.micros) filter (where k.limited is not true), 0), coalesce(sum(u.micros) filter (where k.limited), 0)
    into sums.by_account, sums.by_limited
    from uncharged_day u left join lateral (select key_is_limited(a) as limited from api_key a where a.id = u.key_id) k on true
    where u.account_id = p_account and u.day = today
    having count(*) > 0;
  if not found then return null; end if;
  select coalesce(u.micros, 0) into sums.by_key
    from api_key k left join uncharged_day u on u.account_id = p_account and u.day = today and u.key_id = k.id
    where k.id = p_key and key_is_limited(k);
  select micros_max into cap from uncharged_cap where only_row;
  -- Only an account near the cap has its charges added up.
  if uncharged_state_at(sums, cap) is null then return null; end if;
  return uncharged_state_at(sums, cap + charged_since(p_account, today::timestamp at time zone 'utc') / 10);
end $$;

-- Calls under way may all end without a charge, and what they cost is counted only then. So beyond this many times the
-- cap of a day, and what the account was charged today, no more amounts are held at once. Jobs have limits of their own,
-- and the chats on leases that of all chats.
create function uncharged_burst_times() returns integer language sql immutable as $$ select 10 $$;

create function is_uncharged_burst(p_account uuid, p_held bigint) returns boolean language plpgsql stable as $$
declare
  v_most bigint;
  v_held bigint;
begin
  select micros_max * uncharged_burst_times() into v_most from uncharged_cap where only_row;
  if p_held < v_most then return false; end if;
  v_held := p_held
    - coalesce((select sum(c.held) from call c where c.account_id = p_account and c.state = 'held' and c.job), 0)
    - coalesce((select sum(l.held) from lease l where l.account_id = p_account and l.inference), 0);
  return v_held >= v_most
    and v_held >= v_most + charged_since(p_account, utc_day(now())::timestamp at time zone 'utc');
end $$;

-- Counts what a call without a row may cost before it runs, in one step with the look at the cap, so that a burst cannot
-- pass it. Null: the account has caused enough today. Otherwise the day that the count belongs to.
create function begin_uncharged(p_account uuid, p_key uuid, p_micros bigint) returns date language plpgsql as $$
begin
  perform 1 from balance where account_id = p_account for update;
  if uncharged_state(p_account, p_key) = 'spent' then return null; end if;
  perform note_uncharged(p_account, p_key, p_micros);
  return utc_day(now());
end $$;

-- The call has cost more, or less, than was counted.
create function end_uncharged(p_account uuid, p_key uuid, p_day date, p_change bigint) returns void language sql as $$
  update uncharged_day set micros = greatest(0, micros + p_change)
    where account_id = p_account and day = p_day and key_id = coalesce(p_key, '00000000-0000-0000-0000-000000000000')
$$;

-- What an ended call has cost without a charge: all of its cost, or of the answer of a model that was charged, what its
-- hold had no room for.
create function uncharged_of(p_charged bigint, p_cost bigint, p_timeline jsonb) returns bigint language sql immutable as $$
  select case p_charged when 0 then p_cost else (p_timeline->'inference'->>'uncharged_micros')::bigint end
$$;

-- A trigger's condition with a function is planned anew in each statement, so the functions look themselves.
create function count_uncharged() returns trigger language plpgsql as $$
declare
  v_micros bigint := uncharged_of(new.charged, new.cost, new.timeline);
begin
  if v_micros > 0 then perform note_uncharged(new.account_id, new.key_id, v_micros); end if;
  return null;
end $$;
create trigger count_uncharged after update of state on call
  for each row when (old.state = 'held' and new.state <> 'held') execute function count_uncharged();

-- Calls on leases have their rows only once they have ended, many in one statement.
create function count_uncharged_ended() returns trigger language plpgsql as $$
begin
  perform note_uncharged(account_id, key_id, micros) from (
    select account_id, key_id, sum(uncharged_of(charged, cost, timeline))::bigint as micros
    from inserted where state <> 'held' and uncharged_of(charged, cost, timeline) > 0
    group by account_id, key_id order by account_id, key_id
  ) u;
  return null;
end $$;
create trigger count_uncharged_ended after insert on call referencing new table as inserted
  for each statement execute function count_uncharged_ended();

-- Removes counts of days before this time. Returns their number.
create function forget_uncharged(p_before timestamptz, p_limit integer) returns integer language plpgsql as $$
declare
  v_removed integer;
begin
  delete from uncharged_day where ctid = any (array(
    select ctid from uncharged_day where day < utc_day(p_before) limit p_limit for update skip locked
  ));
  get diagnostics v_removed = row_count;
  return v_removed;
end $$;
