-- Keyless payment. A wallet that pays is an account of its own, whose money is on a chain: a payment that it has signed
-- is a promise, which backs the hold of its one call. What it owns (calls, jobs) it owns as any account does.
--
--   promised  -> wallet    promise      the payment was accepted; the call holds it
--   wallet    -> promised  promise_end  the call failed before any money moved: nobody pays
--   treasury  -> promised  payment      the chain has it
--   wallet    -> refunds   refund_due   what the call did not cost, or all of it when it failed after it was paid
--   refunds   -> treasury  refund       the chain has given it back
--   revenue   -> account   topup        a paid top-up, which is a call that costs what it adds
--
-- So the treasury's balance is the money taken from wallets less the money given back, to the micro-dollar.

alter table account drop constraint account_kind_check,
  add constraint account_kind_check check (kind in ('caller', 'house', 'wallet')),
  -- The address in lower case, or `eip155:{chain}:{address}` of a contract, which may have another owner elsewhere.
  add column wallet text unique;

insert into account (id, kind, name) values
  ('00000000-0000-7000-8000-000000000003', 'house', 'treasury'),
  ('00000000-0000-7000-8000-000000000004', 'house', 'promised'),
  ('00000000-0000-7000-8000-000000000005', 'house', 'refunds');

alter table call alter column key_id drop not null, add column payment_id uuid;
create index call_by_payment on call (payment_id) where payment_id is not null;
-- Whoever repeats an unpaid call with the key of a paid one is told its answer.
create index call_of_wallet_by_key on call (idempotency_key) where payment_id is not null and idempotency_key is not null;

alter table transfer drop constraint transfer_kind_check, add constraint transfer_kind_check
  check (kind in ('charge', 'credit', 'promise', 'promise_end', 'payment', 'refund_due', 'refund', 'topup'));
create unique index transfer_of_wallet_once on transfer (call_id, kind)
  where kind in ('promise', 'promise_end', 'payment', 'refund_due', 'refund', 'topup');

-- One row for each signed payment, for ever: it is what makes a payment count once.
create table payment (
  id uuid primary key,
  -- What cannot be spent twice on its chain; never the signature, which can be written in several ways.
  claim_key text not null unique,
  rail text not null,
  account_id uuid not null references account,
  payer text not null,
  micros bigint not null check (micros > 0),
  action text not null,
  request_digest bytea not null,
  call_id uuid not null,
  -- claimed: its call runs. owed: it is to be settled, nothing is sent yet. settling: it may be on the chain. settled: it
  -- is, for good. released: the call came to nothing before that, and the payment may be used again. dead: it can never
  -- be on the chain.
  state text not null default 'claimed' check (state in ('claimed', 'owed', 'settling', 'settled', 'released', 'dead')),
  -- The challenge that it answers, where the rail has such: only whoever was given it may ask for the answer again.
  challenge_id text,
  -- What was signed; forgotten once the payment is settled or dead.
  credential text,
  raw_tx text,
  tx_hash text unique,
  gas_nonce bigint,
  -- The chain's head when it was signed: its traces are looked for from there.
  signed_at_block bigint,
  -- Chain time after which it cannot be settled any more.
  expires_at timestamptz not null,
  -- What the call will be charged when the payment is settled; null until its answer is stored.
  charged bigint,
  -- A remainder of less than this is not worth a transaction of its own.
  dust_micros bigint not null,
  -- The account that this payment tops up.
  topup_account_id uuid,
  error text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index payment_open on payment (updated_at) where state in ('owed', 'settling');

create table refund (
  id uuid primary key,
  payment_id uuid not null references payment,
  call_id uuid not null unique,
  rail text not null,
  payee text not null,
  micros bigint not null check (micros > 0),
  state text not null default 'due' check (state in ('due', 'signed', 'confirmed')),
  raw_tx text,
  tx_hash text,
  gas_nonce bigint,
  -- The chain's head when the first one was signed.
  signed_at_block bigint,
  -- Chain time after which the signed transaction cannot be mined any more, so that another may be signed.
  valid_until timestamptz,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null default now(),
  error text,
  created_at timestamptz not null default now(),
  confirmed_at timestamptz
);
create index refund_open on refund (next_attempt_at) where state <> 'confirmed';

-- The next transaction number of a key that pays for gas.
create table gas_nonce (
  chain_id bigint not null,
  address text not null,
  next bigint not null,
  primary key (chain_id, address)
);

-- A wallet whose payment failed after its call had run pays first until then.
create table wallet_strike (
  account_id uuid primary key references account,
  strikes integer not null default 1,
  until timestamptz not null
);

-- Proofs of a wallet's owner that were used: each counts once.
create table wallet_proof (
  id text primary key,
  expires_at timestamptz not null
);
create index wallet_proof_expiry on wallet_proof (expires_at);

-- A wallet has no key and no limits of one; what it may spend is what it has signed.
alter function spend_from_key(uuid, uuid, text, bigint) rename to spend_from_api_key;
create function spend_from_key(p_key uuid, p_account uuid, p_action text, p_amount bigint) returns text language sql as $$
  select case when p_key is not null then spend_from_api_key(p_key, p_account, p_action, p_amount) end
$$;

-- The account of a wallet, made at its first use.
create function wallet_account(p_id uuid, p_wallet text) returns uuid language plpgsql as $$
declare
  found_id uuid;
begin
  select id into found_id from account where wallet = p_wallet;
  if found then return found_id; end if;
  insert into account (id, kind, wallet) values (p_id, 'wallet', p_wallet) on conflict (wallet) do nothing returning id into found_id;
  if found_id is null then
    select id into found_id from account where wallet = p_wallet;
    return found_id;
  end if;
  insert into balance (account_id) values (found_id);
  return found_id;
end $$;

-- Accepts a payment for one call, and holds it: both or neither. `joined`: the very payment was accepted before, for the
-- same request. `used`: for another. Otherwise as ledger_hold.
create function payment_claim(
  p_gateway integer, p_payment uuid, p_claim_key text, p_rail text, p_account uuid, p_payer text, p_micros bigint,
  p_challenge text, p_credential text, p_expires_at timestamptz, p_dust_micros bigint, p_topup_account uuid,
  p_call uuid, p_action text, p_digest bytea, p_idempotency text, p_lifetime_ms bigint, p_at_once_max integer,
  p_job boolean, p_input text,
  out outcome text, out call_id uuid, out payment_id uuid
) language plpgsql as $$
declare
  p record;
  held record;
begin
  call_id := p_call;
  payment_id := p_payment;
  perform 1 from balance where account_id = p_account for update;
  select * into p from payment where claim_key = p_claim_key for update;
  if found and p.state <> 'released' then
    outcome := case when p.action = p_action and p.request_digest = p_digest then 'joined' else 'used' end;
    call_id := p.call_id;
    payment_id := p.id;
    return;
  end if;
  begin
    update balance set available = available + p_micros where account_id = p_account;
    select * into held from ledger_hold(p_gateway, p_call, p_account, null, p_action, p_micros, p_idempotency,
      case when p_idempotency is null then null else p_digest end, p_lifetime_ms, p_at_once_max, p_job, p_input);
    if held.outcome <> 'held' then raise exception using errcode = 'TW001'; end if;
    insert into transfer (call_id, debit, credit, amount, kind)
      values (p_call, '00000000-0000-7000-8000-000000000004', p_account, p_micros, 'promise');
    insert into payment (id, claim_key, rail, account_id, payer, micros, challenge_id, credential, expires_at, dust_micros,
        topup_account_id, action, request_digest, call_id)
      values (p_payment, p_claim_key, p_rail, p_account, p_payer, p_micros, p_challenge, p_credential, p_expires_at,
        p_dust_micros, p_topup_account, p_action, p_digest, p_call)
      on conflict (claim_key) do update set state = 'claimed', micros = excluded.micros, challenge_id = excluded.challenge_id,
        credential = excluded.credential, expires_at = excluded.expires_at, dust_micros = excluded.dust_micros, topup_account_id = excluded.topup_account_id, action = excluded.action,
        request_digest = excluded.request_digest, call_id = excluded.call_id, charged = null, error = null, updated_at = now()
      returning id into payment_id;
    update call set payment_id = payment_claim.payment_id where id = p_call;
    outcome := 'claimed';
  exception when sqlstate 'TW001' then
    outcome := held.outcome;
    call_id := held.earlier;
    payment_id := null;
  end;
end $$;

-- Puts what is left of a settled payment, when its call has ended, where the refunds are paid from.
create function refund_remainder(p_payment uuid) returns void language plpgsql as $$
declare
  p record;
  c record;
  left_over bigint;
begin
  select * into p from payment where id = p_payment;
  select * into c from call where id = p.call_id;
  left_over := p.micros - c.charged;
  if p.state <> 'settled' or c.state = 'held' or left_over = 0 then return; end if;
  -- Dust stays on the wallet's account. A call that failed is refunded whatever it was.
  if left_over < p.dust_micros and c.state = 'settled' then return; end if;
  insert into refund (id, payment_id, call_id, rail, payee, micros) values (gen_random_uuid(), p.id, c.id, p.rail, p.payer, left_over)
    on conflict (call_id) do nothing;
  if not found then return; end if;
  update balance set available = available - left_over where account_id = p.account_id;
  insert into transfer (call_id, debit, credit, amount, kind)
    values (c.id, p.account_id, '00000000-0000-7000-8000-000000000005', left_over, 'refund_due');
end $$;

create function end_promise(p_payment uuid, p_state text) returns void language plpgsql as $$
declare
  p record;
begin
  update payment set state = p_state, credential = null, raw_tx = null, updated_at = now() where id = p_payment returning * into p;
  update balance set available = available - p.micros where account_id = p.account_id;
  insert into transfer (call_id, debit, credit, amount, kind)
    values (p.call_id, p.account_id, '00000000-0000-7000-8000-000000000004', p.micros, 'promise_end');
end $$;

-- When the call of a wallet ends, so does its promise. While money is on its way, payment_settled and payment_dead decide.
create function wallet_call_ended() returns trigger language plpgsql as $$
declare
  p record;
begin
  select * into p from payment where id = new.payment_id for update;
  if p.state = 'settled' then
    perform refund_remainder(p.id);
  elsif p.state in ('claimed', 'owed') then
    -- It failed, or it delivered nothing that costs: a payment is settled before anything is charged.
    if new.charged > 0 then raise exception 'Call % was charged before its payment was settled.', new.id; end if;
    perform end_promise(p.id, 'released');
  end if;
  if new.state = 'settled' and p.topup_account_id is not null then
    update balance set available = available + new.charged where account_id = p.topup_account_id;
    insert into transfer (call_id, debit, credit, amount, kind)
      values (new.id, '00000000-0000-7000-8000-000000000001', p.topup_account_id, new.charged, 'topup');
  end if;
  return null;
end $$;
create trigger wallet_call_ended after update of state on call
  for each row when (old.state = 'held' and new.state <> 'held' and new.payment_id is not null)
  execute function wallet_call_ended();

-- The payment is to be settled: its call has been answered, or is not begun before it is paid. The answer is stored in the
-- same statement; it is charged, and can be read, once the payment is settled.
create function payment_owed(p_payment uuid, p_charged bigint, p_cost bigint, p_output text, p_timeline text)
returns text language plpgsql as $$
declare
  p record;
begin
  perform 1 from balance where account_id = (select account_id from payment where id = p_payment) for update;
  update payment set state = 'owed', updated_at = now() where id = p_payment and state = 'claimed';
  select * into p from payment where id = p_payment for update;
  if p_charged is null then return p.state; end if;
  if p.state = 'settled' then
    perform ledger_settle(p.call_id, 'settled', p_charged, p_cost, null, null, p_output, p_timeline);
  elsif p.state in ('owed', 'settling') then
    update call set output = p_output, cost = p_cost, timeline = p_timeline::jsonb where id = p.call_id and state = 'held';
    update payment set charged = p_charged, updated_at = now() where id = p_payment;
  end if;
  return p.state;
end $$;

-- Money may be about to move: from here on nobody is told anything but that it is settled, or provably dead.
create function payment_settling(p_payment uuid, p_raw text, p_hash text, p_gas_nonce bigint, p_signed_at_block bigint)
returns boolean language sql as $$
  update payment set state = 'settling', raw_tx = p_raw, tx_hash = p_hash, gas_nonce = p_gas_nonce,
    signed_at_block = p_signed_at_block, updated_at = now()
    where id = p_payment and state = 'owed' returning true
$$;

-- The chain has the payment. Repeating it changes nothing.
create function payment_settled(p_payment uuid, p_hash text) returns text language plpgsql as $$
declare
  p record;
  c record;
begin
  perform 1 from balance where account_id = (select account_id from payment where id = p_payment) for update;
  select * into p from payment where id = p_payment for update;
  if p.state <> 'settling' then return p.state; end if;
  update payment set state = 'settled', tx_hash = coalesce(p_hash, tx_hash), credential = null, raw_tx = null, updated_at = now()
    where id = p_payment;
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

-- The chain can never have the payment any more. An answer that was worked out for it is withheld.
create function payment_dead(p_payment uuid, p_error text, p_by_payer boolean) returns text language plpgsql as $$
declare
  p record;
  c record;
begin
  perform 1 from balance where account_id = (select account_id from payment where id = p_payment) for update;
  select * into p from payment where id = p_payment for update;
  if p.state not in ('owed', 'settling') then return p.state; end if;
  -- Before its call ends: no promise is kept for a payment that may be used again.
  update payment set state = 'settling' where id = p_payment;
  select * into c from call where id = p.call_id;
  perform ledger_settle(p.call_id, 'voided', 0, c.cost, 'settlement_failed',
    'The payment could not be settled, so nothing was paid. Pay again to have the call run again.', c.output, c.timeline::text);
  perform end_promise(p_payment, 'dead');
  update payment set error = p_error where id = p_payment;
  -- What our own node or gas wallet brought about is no fault of the payer's.
  if p.charged is not null and p_by_payer then
    insert into wallet_strike (account_id, until) values (p.account_id, now() + interval '24 hours')
      on conflict (account_id) do update set strikes = wallet_strike.strikes + 1, until = excluded.until;
  end if;
  return 'dead';
end $$;

create function refund_confirmed(p_refund uuid, p_hash text) returns boolean language plpgsql as $$
declare
  r record;
begin
  update refund set state = 'confirmed', tx_hash = coalesce(p_hash, tx_hash), raw_tx = null, error = null, confirmed_at = now()
    where id = p_refund and state <> 'confirmed' returning * into r;
  if not found then return false; end if;
  insert into transfer (call_id, debit, credit, amount, kind)
    values (r.call_id, '00000000-0000-7000-8000-000000000005', '00000000-0000-7000-8000-000000000003', r.micros, 'refund');
  return true;
end $$;

-- Takes the next transaction number of a key. The first is what the chain says.
create function take_gas_nonce(p_chain bigint, p_address text, p_chain_next bigint) returns bigint language sql as $$
  insert into gas_nonce as g (chain_id, address, next) values (p_chain, p_address, p_chain_next + 1)
    on conflict (chain_id, address) do update set next = greatest(g.next, p_chain_next) + 1
    returning next - 1
$$;

create or replace function abandoned_calls(p_limit integer) returns table (id uuid, account_id uuid) language sql as $$
  select c.id, c.account_id from call c left join payment p on p.id = c.payment_id
  where c.state = 'held' and (
    c.expires_at < now()
    -- A job is queued once it is paid for.
    or (not c.job or p.state in ('claimed', 'owed')) and not gateway_lives(c.gateway_id)
  )
  -- These are ended by what becomes of their payment.
  and not (p.id is not null and (p.state = 'settling' or p.state = 'owed' and p.charged is not null))
  limit p_limit
$$;

-- Empty when the books of the wallets are right.
create view payment_problem as
  with promised as (
    select call_id, sum(case kind when 'promise' then amount else -amount end)::bigint as open
    from transfer where kind in ('promise', 'promise_end', 'payment') group by call_id
  ),
  house as (select account_id, sum(amount)::bigint as amount from posting group by account_id)
  select 'a promise is open that no payment carries' as rule, t.call_id::text as subject, t.open::text as found,
    (case when p.state in ('claimed', 'owed', 'settling') then p.micros else 0 end)::text as expected
  from promised t left join call c on c.id = t.call_id left join payment p on p.id = c.payment_id and p.call_id = c.id
  where t.open <> case when p.state in ('claimed', 'owed', 'settling') then p.micros else 0 end
  union all
  select 'the treasury is not what wallets paid less what they got back', 'treasury',
    coalesce((select -amount from house where account_id = '00000000-0000-7000-8000-000000000003'), 0)::text,
    (coalesce((select sum(micros) from payment where state = 'settled'), 0)
      - coalesce((select sum(micros) from refund where state = 'confirmed'), 0))::text
  where coalesce((select -amount from house where account_id = '00000000-0000-7000-8000-000000000003'), 0)
    <> coalesce((select sum(micros) from payment where state = 'settled'), 0)
      - coalesce((select sum(micros) from refund where state = 'confirmed'), 0)
  union all
  select 'the refunds owed are not the refunds that are open', 'refunds',
    coalesce((select amount from house where account_id = '00000000-0000-7000-8000-000000000005'), 0)::text,
    coalesce((select sum(micros) from refund where state <> 'confirmed'), 0)::text
  where coalesce((select amount from house where account_id = '00000000-0000-7000-8000-000000000005'), 0)
    <> coalesce((select sum(micros) from refund where state <> 'confirmed'), 0)
  union all
  select 'a payment is settled whose call is still held without reason', p.id::text, c.state, 'ended'
  from payment p join call c on c.id = p.call_id
  where p.state = 'settled' and c.state = 'held' and c.expires_at < now() - interval '5 minutes'
  union all
  select 'a call was charged more than its payment', c.id::text, c.charged::text, p.micros::text
  from call c join payment p on p.call_id = c.id where c.charged > p.micros;
