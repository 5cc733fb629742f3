-- A block can be taken back. What was sent for a payment, or for a refund, is kept until its block is final, looked for until
-- then, and sent again when it is gone. A payment that can never come back is a loss:
--
--   losses    -> treasury  payment_lost     the chain no longer has the payment, and never will
--   refunds   -> losses    refund_cancelled a refund of it that was not begun is owed no more
--   wallet    -> losses    refund_cancelled nor is what its call, ended later, did not cost
--   treasury  -> refunds   refund_reopened  a refund that the chain no longer has is owed again

insert into account (id, kind, name) values ('00000000-0000-7000-8000-000000000006', 'house', 'losses');

alter table payment
  -- open: its block may still be taken back. Null: not settled yet, or settled before blocks were watched.
  add column finality text check (finality in ('open', 'final', 'lost')),
  add column settled_block bigint,
  -- How often in a row it was not on the chain, and the head at which it was first found impossible.
  add column times_missing integer not null default 0,
  add column dead_since_block bigint,
  add column next_check_at timestamptz;
create index payment_not_final on payment (next_check_at) where finality = 'open';
create index payment_lost on payment (updated_at) where finality = 'lost';
create index payment_by_hash on payment (tx_hash) where tx_hash is not null;

alter table refund drop constraint refund_state_check,
  add constraint refund_state_check check (state in ('due', 'signed', 'confirmed', 'cancelled')),
  add column finality text check (finality in ('open', 'final')),
  add column settled_block bigint,
  add column times_missing integer not null default 0,
  add column next_check_at timestamptz;
create index refund_not_final on refund (next_check_at) where finality = 'open';
create index refund_by_hash on refund (tx_hash) where tx_hash is not null;
drop index refund_open;
create index refund_open on refund (next_attempt_at) where state in ('due', 'signed');

-- Adds to the kinds that there are, whoever has added some before.
do $$
declare
  kinds text;
begin
  select pg_get_constraintdef(oid) into kinds from pg_constraint where conname = 'transfer_kind_check';
  execute 'alter table transfer drop constraint transfer_kind_check, add constraint transfer_kind_check '
    || replace(kinds, 'ARRAY[', 'ARRAY[''payment_lost''::text, ''refund_cancelled''::text, ''refund_reopened''::text, ');
end $$;
drop index transfer_of_wallet_once;
-- A refund that was taken back is posted a second time; its own state makes each posting count once.
create unique index transfer_of_wallet_once on transfer (call_id, kind)
  where kind in ('promise', 'promise_end', 'payment', 'refund_due', 'topup', 'payment_lost', 'refund_cancelled');

drop function payment_settled(uuid, text);
create function payment_settled(p_payment uuid, p_hash text, p_block bigint) returns text language plpgsql as $$
declare
  p record;
  c record;
begin
  perform 1 from balance where account_id = (select account_id from payment where id = p_payment) for update;
  select * into p from payment where id = p_payment for update;
  if p.state <> 'settling' then return p.state; end if;
  update payment set state = 'settled', tx_hash = coalesce(p_hash, tx_hash), settled_block = p_block,
    finality = 'open', next_check_at = now(), updated_at = now() where id = p_payment;
  insert into transfer (call_id, debit, credit, amount, kind)
    values (p.call_id, '00000000-0000-7000-8000-000000000003', '00000000-0000-7000-8000-000000000004', p.micros, 'payment');
  select * into c from call where id = p.call_id;
  if c.state <> 'held' then
    perform refund_remainder(p.id);
  elsif p.charged is not null then
    perform ledger_settle(c.id, 'settled', p.charged, c.cost, null, null, c.output, c.timeline::text);
  end if;
  return 'settled';
end $$;

-- Nothing can take it back any more, so nothing of what was signed is kept.
create function payment_final(p_payment uuid, p_hash text, p_block bigint) returns void language sql as $$
  update payment set finality = 'final', tx_hash = coalesce(p_hash, tx_hash), settled_block = p_block, credential = null,
    raw_tx = null, times_missing = 0, dead_since_block = null, updated_at = now()
  where id = p_payment and finality = 'open'
$$;

-- The chain had the payment and can never have it again. Its call keeps its answer; the operator bears the loss.
create function payment_lost(p_payment uuid, p_error text, p_by_payer boolean) returns boolean language plpgsql as $$
declare
  p record;
  owed bigint;
begin
  perform 1 from balance where account_id = (select account_id from payment where id = p_payment) for update;
  update payment set finality = 'lost', error = p_error, credential = null, raw_tx = null, updated_at = now()
    where id = p_payment and finality = 'open' returning * into p;
  if not found then return false; end if;
  insert into transfer (call_id, debit, credit, amount, kind)
    values (p.call_id, '00000000-0000-7000-8000-000000000006', '00000000-0000-7000-8000-000000000003', p.micros, 'payment_lost');
  update refund set state = 'cancelled', error = 'The payment was lost.' where payment_id = p.id and state = 'due' returning micros into owed;
  if found then
    insert into transfer (call_id, debit, credit, amount, kind)
      values (p.call_id, '00000000-0000-7000-8000-000000000005', '00000000-0000-7000-8000-000000000006', owed, 'refund_cancelled');
  end if;
  if p_by_payer then
    insert into wallet_strike (account_id, until) values (p.account_id, now() + interval '24 hours')
      on conflict (account_id) do update set strikes = wallet_strike.strikes + 1, until = excluded.until;
  end if;
  return true;
end $$;

create or replace function refund_remainder(p_payment uuid) returns void language plpgsql as $$
declare
  p record;
  c record;
  left_over bigint;
begin
  select * into p from payment where id = p_payment;
  select * into c from call where id = p.call_id;
  left_over := p.micros - c.charged;
  if p.state <> 'settled' or c.state = 'held' or left_over = 0 then return; end if;
  if p.finality = 'lost' then
    update balance set available = available - left_over where account_id = p.account_id;
    insert into transfer (call_id, debit, credit, amount, kind)
      values (c.id, p.account_id, '00000000-0000-7000-8000-000000000006', left_over, 'refund_cancelled');
    return;
  end if;
  -- Dust stays on the wallet's account. A call that failed is refunded whatever it was.
  if left_over < p.dust_micros and c.state = 'settled' then return; end if;
  insert into refund (id, payment_id, call_id, rail, payee, micros) values (gen_random_uuid(), p.id, c.id, p.rail, p.payer, left_over)
    on conflict (call_id) do nothing;
  if not found then return; end if;
  update balance set available = available - left_over where account_id = p.account_id;
  insert into transfer (call_id, debit, credit, amount, kind)
    values (c.id, p.account_id, '00000000-0000-7000-8000-000000000005', left_over, 'refund_due');
end $$;

drop function refund_confirmed(uuid, text);
create function refund_confirmed(p_refund uuid, p_hash text, p_block bigint) returns boolean language plpgsql as $$
declare
  r record;
begin
  update refund set state = 'confirmed', tx_hash = coalesce(p_hash, tx_hash), settled_block = p_block, finality = 'open',
      times_missing = 0, next_check_at = now(), error = null, confirmed_at = now()
    where id = p_refund and state in ('due', 'signed') returning * into r;
  if not found then return false; end if;
  insert into transfer (call_id, debit, credit, amount, kind)
    values (r.call_id, '00000000-0000-7000-8000-000000000005', '00000000-0000-7000-8000-000000000003', r.micros, 'refund');
  return true;
end $$;

create function refund_final(p_refund uuid, p_hash text, p_block bigint) returns void language sql as $$
  update refund set finality = 'final', tx_hash = coalesce(p_hash, tx_hash), settled_block = p_block, raw_tx = null, times_missing = 0
  where id = p_refund and finality = 'open'
$$;

-- The chain no longer has it: it is owed again, and the worker takes it up.
create function refund_reopened(p_refund uuid) returns boolean language plpgsql as $$
declare
  r record;
begin
  update refund set state = 'due', raw_tx = null, finality = null, settled_block = null, times_missing = 0, confirmed_at = null,
      next_attempt_at = now(), error = 'The chain no longer has this refund; it is sent again.'
    where id = p_refund and finality = 'open' returning * into r;
  if not found then return false; end if;
  insert into transfer (call_id, debit, credit, amount, kind)
    values (r.call_id, '00000000-0000-7000-8000-000000000003', '00000000-0000-7000-8000-000000000005', r.micros, 'refund_reopened');
  return true;
end $$;

create or replace view payment_problem as
  with promised as (
    select call_id, sum(case kind when 'promise' then amount else -amount end)::bigint as open
    from transfer where kind in ('promise', 'promise_end', 'payment') group by call_id
  ),
  house as (select account_id, sum(amount)::bigint as amount from posting group by account_id),
  treasury as (
    select coalesce((select -amount from house where account_id = '00000000-0000-7000-8000-000000000003'), 0) as found,
      coalesce((select sum(micros) from payment where state = 'settled' and finality is distinct from 'lost'), 0)
        - coalesce((select sum(micros) from refund where state = 'confirmed'), 0) as expected
  ),
  owed as (
    select coalesce((select amount from house where account_id = '00000000-0000-7000-8000-000000000005'), 0) as found,
      coalesce((select sum(micros) from refund where state in ('due', 'signed')), 0) as expected
  )
  select 'a promise is open that no payment carries' as rule, t.call_id::text as subject, t.open::text as found,
    (case when p.state in ('claimed', 'owed', 'settling') then p.micros else 0 end)::text as expected
  from promised t left join call c on c.id = t.call_id left join payment p on p.id = c.payment_id and p.call_id = c.id
  where t.open <> case when p.state in ('claimed', 'owed', 'settling') then p.micros else 0 end
  union all
  select 'the treasury is not what wallets paid less what they got back', 'treasury', found::text, expected::text
  from treasury where found <> expected
  union all
  select 'the refunds owed are not the refunds that are open', 'refunds', found::text, expected::text
  from owed where found <> expected
  union all
  select 'a payment is settled whose call is still held without reason', p.id::text, c.state, 'ended'
  from payment p join call c on c.id = p.call_id
  where p.state = 'settled' and c.state = 'held' and c.expires_at < now() - interval '5 minutes'
  union all
  select 'a call was charged more than its payment', c.id::text, c.charged::text, p.micros::text
  from call c join payment p on p.call_id = c.id where c.charged > p.micros;
