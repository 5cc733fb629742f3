-- The calls of an action that an account has free on a day of UTC, the day on which the call begins.

-- Takes one. False: none is left.
create function take_free_call(p_account uuid, p_action text, p_per_day integer) returns boolean language plpgsql as $$
begin
  insert into free_call_day as d values (p_account, p_action, utc_day(now()), 1)
    on conflict (account_id, action, day) do update set calls = d.calls + 1 where d.calls < p_per_day;
  return found;
end $$;

create function free_calls_taken(p_account uuid, p_action text) returns integer language sql stable as $$
  select coalesce(
    (select calls from free_call_day where account_id = p_account and action = p_action and day = utc_day(now())), 0)
$$;

-- A failed call gives it back, also one whose gateway was killed.
create function give_back_free_call() returns trigger language plpgsql as $$
begin
  update free_call_day set calls = calls - 1
    where account_id = new.account_id and action = new.action and day = utc_day(new.created_at) and calls > 0;
  return null;
end $$;
create trigger give_back_free_call after update of state on call
  for each row when (old.state = 'held' and new.state = 'voided' and new.within_free_calls)
  execute function give_back_free_call();

-- Removes counts of days before this time. Returns their number.
create function forget_free_call_days(p_before timestamptz, p_limit integer) returns integer language plpgsql as $$
declare
  v_removed integer;
begin
  delete from free_call_day where ctid = any (array(
    select ctid from free_call_day where day < utc_day(p_before) limit p_limit for update skip locked
  ));
  get diagnostics v_removed = row_count;
  return v_removed;
end $$;
