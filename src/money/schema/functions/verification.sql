-- What the postings of each account sum to. `p_since`: before this time the books have been verified, and their sums are
-- taken for right.
create function posted_sums(p_since timestamptz) returns table (account_id uuid, amount bigint) language sql stable as $$
  select account_id, sum(amount)::bigint from (
    select account_id, amount from posting where p_since is null or created_at >= p_since
    union all
    select account_id, amount from verified_sum where p_since is not null
  ) p group by account_id
$$;

-- Calls since this time, those that began up to two days before and may have ended since, and those that were charged
-- since.
create function calls_since(p_since timestamptz) returns setof call language sql stable as $$
  select * from call where p_since is null or id >= uuid_floor(p_since - interval '2 days')
  union all
  select c.* from transfer t join call c on c.id = t.call_id
  where t.kind = 'charge' and t.created_at >= p_since and c.id < uuid_floor(p_since - interval '2 days')
$$;

-- Empty when the books are right. `p_since`: only what is new since then, and all that is open, is checked; usage and
-- statements are not.
create function ledger_problems(p_since timestamptz)
returns table (rule text, subject text, found text, expected text) language sql stable as $$
  with posted as materialized (select account_id, amount from posted_sums(p_since)),
  open as (select account_id, sum(held)::bigint as held, sum(calls)::integer as calls from open_hold group by 1),
  inference as (
    select account_id, utc_day(created_at) as day, held from call where state = 'held' and inference and not on_lease
    union all
    select account_id, day, held from lease where inference
  ),
  inference_open as (select account_id, day, sum(held)::bigint as held from inference group by 1, 2),
  used as (
    select account_id, sum(charged)::bigint as charged from (
      select account_id, charged from usage_of_account_by_quarter union all select account_id, charged from usage_event
    ) u where p_since is null group by 1
  ),
  charged as (select debit as account_id, sum(amount)::bigint as amount from transfer where kind = 'charge' and p_since is null group by 1),
  counted as (
    select 'calls' as what, (select coalesce(sum(calls), 0) from usage_of_account_by_hour) as by_account,
      (select coalesce(sum(calls), 0) from usage_of_action_by_quarter) as by_action
    union all
    select 'charges', (select coalesce(sum(charged), 0) from usage_of_account_by_hour), (select coalesce(sum(charged), 0) from usage_of_action_by_quarter)
    union all
    select 'refunds', (select coalesce(sum(refunded), 0) from usage_of_account_by_hour), (select coalesce(sum(refunded), 0) from usage_of_action_by_quarter)
    union all
    select 'costs', (select coalesce(sum(cost), 0) from usage_of_account_by_hour), (select coalesce(sum(cost), 0) from usage_of_action_by_quarter)
  )
  select 'a balance is not the sum of its postings' as rule, b.account_id::text as subject,
    (b.available + b.held)::text as found, coalesce(p.amount, 0)::text as expected
  from balance b left join posted p using (account_id) where b.available + b.held <> coalesce(p.amount, 0)
  union all
  select 'an amount is held that no open call holds', b.account_id::text, b.held::text, coalesce(o.held, 0)::text
  from balance b left join open o using (account_id) where b.held <> coalesce(o.held, 0)
  union all
  select 'calls in flight are not the open calls', b.account_id::text, b.in_flight::text, coalesce(o.calls, 0)::text
  from balance b left join open o using (account_id) where b.in_flight <> coalesce(o.calls, 0)
  union all
  select 'inference is held that no open call holds', account_id::text || ' ' || day::text, coalesce(d.held, 0)::text,
    coalesce(o.held, 0)::text
  from inference_day d full join inference_open o using (account_id, day) where coalesce(d.held, 0) <> coalesce(o.held, 0)
  union all
  select 'a call is charged otherwise than posted', c.id::text, c.charged::text, coalesce(t.amount, 0)::text
  from calls_since(p_since) c left join transfer t on t.call_id = c.id and t.kind = 'charge'
  where c.charged <> coalesce(t.amount, 0)
  union all
  select 'a failed call was charged', c.id::text, c.charged::text, '0' from calls_since(p_since) c
  where c.state = 'voided' and c.charged > 0
  union all
  select 'a charge belongs to no call', t.call_id::text, t.amount::text, 'no charge'
  from transfer t where t.kind = 'charge' and (p_since is null or t.created_at >= p_since)
    and not exists (select 1 from call c where c.id = t.call_id)
  union all
  select 'postings name an account that does not exist', p.account_id::text, p.amount::text, 'no posting'
  from posted p where not exists (select 1 from account a where a.id = p.account_id)
  union all
  select 'an account with postings has no balance', p.account_id::text, 'no balance', p.amount::text
  from posted p join account a on a.id = p.account_id and a.kind <> 'house'
  where not exists (select 1 from balance b where b.account_id = p.account_id)
  union all
  select 'a call belongs to an account without a balance', c.account_id::text, count(*)::text, '0'
  from calls_since(p_since) c where not exists (select 1 from balance b where b.account_id = c.account_id)
  group by c.account_id
  union all
  select 'the usage of an account is not what its calls were charged', account_id::text, coalesce(u.charged, 0)::text,
    coalesce(c.amount, 0)::text
  from used u full join charged c using (account_id) where coalesce(u.charged, 0) <> coalesce(c.amount, 0)
  union all
  select 'the usage of the accounts is not the usage of the actions', what, by_account::text, by_action::text
  from counted where by_account <> by_action and p_since is null
  union all
  select 'a statement is not the sum of its postings', account_id::text || ' ' || day::text, coalesce(d.amount, 0)::text,
    coalesce(p.amount, 0)::text
  from (select account_id, day, sum(amount)::bigint as amount from posted_day where p_since is null group by 1, 2) d
  full join (
    select a.account_id, utc_day(a.created_at) as day, sum(a.amount)::bigint as amount
    from account_posting a join posted_until u on u.account_id = a.account_id and a.created_at < day_begins(u.day)
    where p_since is null group by 1, 2
  ) p using (account_id, day) where coalesce(d.amount, 0) <> coalesce(p.amount, 0)
  union all
  select 'the books do not sum to zero', 'all', sum(amount)::text, '0' from posted having sum(amount) <> 0
$$;

create view ledger_problem as select * from ledger_problems(null);

-- Empty when the books of the wallets are right. `p_since` as in `ledger_problems`.
create function payment_problems(p_since timestamptz)
returns table (rule text, subject text, found text, expected text) language sql stable as $$
  with provisional as (
    select call_id, sum(case kind when 'provisional_credit' then amount else -amount end)::bigint as open
    from transfer where kind in ('provisional_credit', 'provisional_credit_end', 'payment') group by call_id
  ),
  house_balance as materialized (select account_id, amount from posted_sums(p_since)),
  treasury as (
    select coalesce((select -amount from house_balance where account_id = house('treasury')), 0) as found,
      coalesce((select sum(micros) from payment where state = 'settled' and finality is distinct from 'lost' and channel_id is null), 0)
        + coalesce((select sum(captured) from channel where state = 'closed'), 0)
        - coalesce((select sum(micros) from refund where state = 'confirmed'), 0) as expected
  ),
  owed as (
    select coalesce((select amount from house_balance where account_id = house('refunds')), 0) as found,
      coalesce((select sum(micros) from refund where state in ('due', 'signed')), 0) as expected
  )
  select 'provisional credit is open without a payment' as rule, t.call_id::text as subject, t.open::text as found,
    (case when p.state in ('claimed', 'owed', 'settling') then p.micros else 0 end)::text as expected
  from provisional t left join call c on c.id = t.call_id left join payment p on p.id = c.payment_id and p.call_id = c.id
  where t.open <> case when p.state in ('claimed', 'owed', 'settling') then p.micros else 0 end
  union all
  select 'the treasury is not what wallets paid less what they got back', 'treasury', found::text, expected::text
  from treasury where found <> expected
  union all
  select 'the refunds owed are not the refunds that are open', 'refunds', found::text, expected::text
  from owed where found <> expected
  union all
  select 'the refunds in the usage are not the refunds that were owed', 'refunds', found::text, expected::text
  from (
    select (select coalesce(sum(refunded), 0) from usage_of_account_by_hour) + (select coalesce(sum(refunded), 0) from usage_event) as found,
      (select coalesce(sum(case kind when 'refund_due' then amount else -amount end), 0) from transfer
        where kind = 'refund_due' or kind = 'refund_cancelled' and debit = house('refunds')) as expected
  ) r where found <> expected and p_since is null
  union all
  select 'a payment is settled whose call is still held without reason', p.id::text, c.state, 'ended'
  from payment p join call c on c.id = p.call_id
  where p.state = 'settled' and c.state = 'held' and c.expires_at < now() - interval '5 minutes'
  union all
  select 'a call was charged more than its payment', c.id::text, c.charged::text, p.micros::text
  from call c join payment p on p.call_id = c.id where c.charged > p.micros
$$;

create view payment_problem as select * from payment_problems(null);

-- The books were found right, read as they were after `p_ends` was asked for (`closed_until`): the sums of the days
-- before it are kept. `p_since`: as it was checked. A whole check makes all sums anew.
create function keep_verified_sums(p_since timestamptz, p_ends timestamptz) returns void language plpgsql as $$
declare
  begins timestamptz;
begin
  insert into verified_until (at) values ('-infinity') on conflict do nothing;
  select at into begins from verified_until for update;
  if p_since is null then
    delete from verified_sum;
    begins := '-infinity';
  elsif p_ends <= begins then return;
  end if;
  insert into verified_sum as v (account_id, amount)
    select account_id, sum(amount) from posting where created_at >= begins and created_at < p_ends group by account_id
    on conflict (account_id) do update set amount = v.amount + excluded.amount;
  update verified_until set at = p_ends;
end $$;
