-- Monthly statements are sums of days (UTC). A day is summed when it is closed, so its sums stay as they are; the days
-- since then are summed from their postings for each answer.

create function day_begins(p_day date) returns timestamptz language sql immutable as $$
  select p_day::timestamp at time zone 'utc'
$$;

-- The first day (UTC) on which something may still be posted. A transfer bears the time at which its transaction began,
-- so a day is closed when all transactions that began on it have ended. The ten minutes allow for a clock that is set
-- back, as that of another server after a failover.
create function first_open_day() returns date language sql volatile as $$
  select utc_day(least(now(), min(xact_start)) - interval '10 minutes') from pg_stat_activity
  where datname = current_database() and backend_type = 'client backend'
$$;

-- The postings of an account since a day, summed by day. Charges are summed by action.
create function sum_postings(p_account uuid, p_from date)
returns table (account_id uuid, day date, kind text, action text, postings bigint, amount bigint) language sql stable as $$
  select p.account_id, utc_day(p.created_at), p.kind, coalesce(c.action, ''), count(*), sum(p.amount)::bigint
  from account_posting p left join call c on p.kind = 'charge' and c.id = p.call_id
  where p.account_id = p_account and p.created_at >= day_begins(p_from)
  group by 1, 2, 3, 4
$$;

-- Sums the days of an account that are closed and not summed yet. Returns the first day that is not summed.
create function sum_days(p_account uuid) returns date language plpgsql as $$
declare
  open_from date := first_open_day();
  summed_until date;
begin
  select day into summed_until from posted_until where account_id = p_account;
  if summed_until >= open_from then return summed_until; end if;
  insert into posted_until values (p_account, '-infinity') on conflict do nothing;
  -- One gateway sums, and another one that asks at the same time sees what it has summed.
  select day into summed_until from posted_until where account_id = p_account for update;
  if summed_until >= open_from then return summed_until; end if;
  insert into posted_day select s.* from sum_postings(p_account, summed_until) s where s.day < open_from;
  update posted_until set day = open_from where account_id = p_account;
  return open_from;
end $$;
