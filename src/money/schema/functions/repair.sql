-- Gives accounts the rows that they should have, with nothing in them.
create function add_missing_counts(p_accounts uuid[]) returns void language sql as $$
  insert into balance (account_id)
    select id from account where id = any (p_accounts) and kind <> 'house' on conflict do nothing;
  insert into inference_day (account_id, day)
    select account_id, utc_day(created_at) from call
      where account_id = any (p_accounts) and inference
        and (state = 'held' and not on_lease or utc_day(created_at) = utc_day(now()))
    union select account_id, day from lease where account_id = any (p_accounts) and inference
    on conflict do nothing
$$;

-- Mends the accounts whose books `ledger_problem` finds wrong, and tells each change.
--
-- Calls, leases and postings count as true. What is derived from them is computed anew: what an account holds, its
-- calls in flight, what it has available, its inference of the day, and the counts of its keys. Where the postings do
-- not cover what the account holds, nothing is available, and a credit from `losses` covers the rest, which the
-- account's statement shows.
create function ledger_repair() returns table (account_id uuid, what text, found text, repaired text) language plpgsql as $$
#variable_conflict use_column
declare
  accounts uuid[] := array(
    select distinct split_part(subject, ' ', 1)::uuid from ledger_problem where rule in (
      'a balance is not the sum of its postings', 'an amount is held that no open call holds',
      'calls in flight are not the open calls', 'inference is held that no open call holds',
      'an account with postings has no balance', 'a call belongs to an account without a balance'
    ) union select subject::uuid from grant_problem where rule in (
      'grants have more left than their account', 'the next expiry is not that of a grant'
    )
  );
  b record;
  d record;
  k record;
begin
  perform add_missing_counts(accounts);
  -- Holds, settlements and leases of these accounts wait from here on.
  perform 1 from balance where account_id = any (accounts) order by account_id for update;

  for b in
    with posted as (
      select account_id, sum(amount)::bigint as amount from posting where account_id = any (accounts) group by account_id
    ), open as (
      select account_id, sum(held)::bigint as held, sum(calls)::integer as calls from open_hold
      where account_id = any (accounts) group by account_id
    )
    select o.*, coalesce(n.held, 0) as new_held, coalesce(n.calls, 0) as new_in_flight,
      greatest(0, coalesce(p.amount, 0) - coalesce(n.held, 0)) as new_available,
      greatest(0, coalesce(n.held, 0) - coalesce(p.amount, 0)) as missing,
      (select coalesce(sum(left_of(g)), 0)::bigint from credit_grant g where g.account_id = o.account_id) as of_grants
    from balance o left join posted p using (account_id) left join open n using (account_id)
    where o.account_id = any (accounts) order by o.account_id
  loop
    update balance set available = b.new_available, held = b.new_held, in_flight = b.new_in_flight
      where account_id = b.account_id;
    if b.missing > 0 then
      insert into transfer (debit, credit, amount, kind, reason)
        values (house('losses'), b.account_id, b.missing, 'credit', 'Correction of the books');
    end if;
    -- What is gone was spent: of the grants that expire first.
    perform spend_grants(b.account_id, b.of_grants - b.new_available - b.new_held, '-infinity');
    return query select b.account_id, c.* from (values
      ('available', b.available::text, b.new_available::text), ('held', b.held::text, b.new_held::text),
      ('calls in flight', b.in_flight::text, b.new_in_flight::text), ('credit from losses', '0', b.missing::text)
    ) c (what, found, repaired) where c.found <> c.repaired;
  end loop;

  for d in
    select i.*, coalesce(n.held, 0) as new_held,
      case when i.day = utc_day(now()) then coalesce(n.spent, 0) else i.spent end as new_spent
    from inference_day i left join lateral (
      select sum(u.held)::bigint as held, sum(u.spent)::bigint as spent from (
        select 0 as held, c.charged as spent from call c
        where c.account_id = i.account_id and c.inference and utc_day(c.created_at) = i.day and c.state <> 'held'
        union all
        select c.held, 0 from call c
        where c.account_id = i.account_id and c.inference and utc_day(c.created_at) = i.day and c.state = 'held'
          and not c.on_lease
        union all
        select l.held, 0 from lease l where l.account_id = i.account_id and l.day = i.day and l.inference
      ) u
    ) n on true
    where i.account_id = any (accounts)
  loop
    update inference_day set held = d.new_held, spent = d.new_spent where account_id = d.account_id and day = d.day;
    return query select d.account_id, c.* from (values
      ('inference held on ' || d.day, d.held::text, d.new_held::text),
      ('inference spent on ' || d.day, d.spent::text, d.new_spent::text)
    ) c (what, found, repaired) where c.found <> c.repaired;
  end loop;

  for k in
    select * from key_count where account_id = any (accounts) and micros <> expected
  loop
    insert into key_spend (key_id, period, starts, micros) values (k.key_id, k.period, k.starts, k.expected)
      on conflict (key_id, period, starts) do update set micros = excluded.micros;
    return query select k.account_id, format('spent by key %s in the %s', k.key_id, k.period), k.micros::text, k.expected::text;
  end loop;
end $$;
