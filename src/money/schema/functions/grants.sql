-- Credit that expires. A charge or debit is spent from the grant that expires first, and from the rest of the balance
-- only when no grant is left. What is unspent at the expiry goes back:
--
--   account -> credit   credit_expired   what no call holds at the expiry, and later what such a call was not charged
--
-- A call that began before the expiry keeps its hold, and is charged to the expired grant. No later call is. So for the
-- expired grants of an account, what is left of them is never more than what such calls hold, and taking back the rest
-- never makes `available` negative. Every function here is called with the balance row locked; the functions that hold
-- first take back what has expired, so nothing is held from it.

create function left_of(g credit_grant) returns bigint language sql immutable as $$
  select g.amount - g.spent - g.returned
$$;

-- What calls and leases that began before this time hold of an account.
create function held_before(p_account uuid, p_time timestamptz) returns bigint language sql stable as $$
  select (
    select coalesce(sum(held), 0) from call
    where account_id = p_account and state = 'held' and not on_lease and created_at < p_time
  )::bigint + (
    select coalesce(sum(held), 0) from lease where account_id = p_account and created_at < p_time
  )::bigint
$$;

create function note_next_expiry(p_account uuid) returns void language sql as $$
  update balance b set grants_expire_at = n.at
    from (
      select min(expires_at) as at from credit_grant where account_id = p_account and spent + returned < amount
    ) n
    where b.account_id = p_account and b.grants_expire_at is distinct from n.at
$$;

-- Adds a grant that expires to a balance. Null when there is no such account.
create function ledger_grant(p_account uuid, p_amount bigint, p_reason text, p_expires_at timestamptz) returns bigint
language plpgsql as $$
declare
  after bigint;
begin
  update balance b set available = b.available + p_amount, grants_expire_at = least(b.grants_expire_at, p_expires_at)
    where account_id = p_account returning b.available into after;
  if not found then return null; end if;
  with granted as (
    insert into transfer (debit, credit, amount, kind, reason)
      values (house('credit'), p_account, p_amount, 'credit', p_reason) returning id
  )
  insert into credit_grant (transfer_id, account_id, amount, expires_at)
    select id, p_account, p_amount, p_expires_at from granted;
  return after;
end $$;

-- Takes what was charged or debited from the grants that had not expired when the call began.
create function spend_grants(p_account uuid, p_amount bigint, p_began timestamptz) returns void language plpgsql as $$
declare
  g credit_grant;
  rest bigint := p_amount;
begin
  for g in
    select * from credit_grant where account_id = p_account and spent + returned < amount and expires_at > p_began
    order by expires_at, transfer_id
  loop
    exit when rest <= 0;
    update credit_grant set spent = spent + least(rest, left_of(g)) where transfer_id = g.transfer_id;
    rest := rest - left_of(g);
  end loop;
  perform note_next_expiry(p_account);
end $$;

-- Takes back what is left of expired grants, except what calls that began before hold of it.
create function expire_grants(p_account uuid) returns void language plpgsql as $$
declare
  g credit_grant;
  -- What running calls hold of grants that expired earlier than this one.
  held_earlier bigint := 0;
  v_held bigint;
  v_unspent bigint;
begin
  for g in
    select * from credit_grant where account_id = p_account and spent + returned < amount and expires_at <= now()
    order by expires_at, transfer_id
  loop
    v_held := least(left_of(g), greatest(0, held_before(p_account, g.expires_at) - held_earlier));
    held_earlier := held_earlier + v_held;
    v_unspent := left_of(g) - v_held;
    if v_unspent > 0 then
      update balance set available = available - v_unspent where account_id = p_account;
      update credit_grant set returned = returned + v_unspent where transfer_id = g.transfer_id;
      insert into transfer (debit, credit, amount, kind, reason)
        select p_account, house('credit'), v_unspent, 'credit_expired', reason from transfer where id = g.transfer_id;
    end if;
  end loop;
  perform note_next_expiry(p_account);
end $$;

-- Takes back what has expired of one account before its balance is shown.
create function expire_credit(p_account uuid) returns void language plpgsql as $$
begin
  perform 1 from balance where account_id = p_account and grants_expire_at <= now();
  if not found then return; end if;
  perform 1 from balance where account_id = p_account for update;
  perform expire_grants(p_account);
end $$;

-- Takes back what has expired of some accounts, in the order of their ids. Returns the last of them: null when there
-- was none after `p_after`. An account whose balance is locked is passed over; the next round has it.
create function expire_due_grants(p_after uuid, p_limit integer) returns uuid language plpgsql as $$
declare
  found_id uuid;
  last_id uuid;
begin
  for found_id in
    select account_id from balance where grants_expire_at <= now() and account_id > p_after
    order by account_id limit p_limit for update skip locked
  loop
    perform expire_grants(found_id);
    last_id := found_id;
  end loop;
  return last_id;
end $$;

-- Empty when the grants are right.
create view grant_problem as
  with open as (
    select account_id, sum(left_of(g))::bigint as micros, min(expires_at) as at from credit_grant g
    where spent + returned < amount group by 1
  ),
  returned as (select account_id, sum(returned)::bigint as micros from credit_grant group by 1),
  expired as (select debit as account_id, sum(amount)::bigint as micros from transfer where kind = 'credit_expired' group by 1)
  select 'grants have more left than their account' as rule, o.account_id::text as subject, o.micros::text as found,
    coalesce(b.available + b.held, 0)::text as expected
  from open o left join balance b using (account_id) where o.micros > coalesce(b.available + b.held, 0)
  union all
  select 'the next expiry is not that of a grant', b.account_id::text, coalesce(b.grants_expire_at::text, 'never'),
    coalesce(o.at::text, 'never')
  from balance b left join open o using (account_id) where b.grants_expire_at is distinct from o.at
  union all
  select 'what expired is not what was posted', account_id::text, coalesce(r.micros, 0)::text, coalesce(e.micros, 0)::text
  from returned r full join expired e using (account_id) where coalesce(r.micros, 0) <> coalesce(e.micros, 0)
  union all
  select 'a grant is not the credit that was posted', g.transfer_id::text, g.amount::text, coalesce(t.amount::text, 'no credit')
  from credit_grant g left join transfer t on t.id = g.transfer_id and t.kind = 'credit' and t.credit = g.account_id
  where t.amount is distinct from g.amount;
