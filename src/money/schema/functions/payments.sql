-- Keyless payment. A wallet that pays is an account whose money is on a chain. A signed payment is provisional credit,
-- which backs the hold of its one call. A wallet owns its calls and jobs as any account does.
--
--   provisional -> wallet       provisional_credit      the payment was accepted; the call holds it
--   wallet      -> provisional  provisional_credit_end  the call failed before any money moved
--   treasury    -> provisional  payment                 the chain has it
--   wallet      -> provisional  provisional_credit_end  the part that a rail need not settle, as its call cost less
--   wallet -> refunds refund_due the part that its call was not charged, or all of it after a failure
--   refunds     -> treasury     refund                  the chain has given it back
--   revenue     -> account      topup                   a paid top-up, which is a call that costs what it adds
--
-- So the treasury's balance is the money taken from wallets less the money given back, to the micro-dollar.

-- The account of a wallet, created at its first use.
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

-- From now on the wallet pays before its calls run, for a day.
create function strike_wallet(p_account uuid) returns void language plpgsql as $$
begin
  insert into wallet_strike (account_id, until) values (p_account, now() + interval '24 hours')
    on conflict (account_id) do update set strikes = wallet_strike.strikes + 1, until = excluded.until;
end $$;

-- Whether a wallet has paid into the account, and the chain has not taken the payment back. Credit of the operator,
-- such as that for signing up, does not count.
create function has_paid_topup(p_account uuid) returns boolean language sql stable as $$
  select exists (
    select 1 from payment p join transfer t on t.call_id = p.call_id and t.kind = 'topup'
      where p.topup_account_id = p_account and p.state = 'settled' and p.finality is distinct from 'lost')
$$;

-- Locks a payment and the balance of its wallet: first the balance, as every other function does.
create function lock_payment(p_payment uuid) returns payment language plpgsql as $$
declare
  p payment;
begin
  perform 1 from balance where account_id = (select account_id from payment where id = p_payment) for update;
  select * into p from payment where id = p_payment for update;
  return p;
end $$;

-- Takes the next transaction number of a key. The chain tells the first one.
create function take_gas_nonce(p_chain bigint, p_address text, p_chain_next bigint) returns bigint language sql as $$
  insert into gas_nonce as g (chain_id, address, next) values (p_chain, p_address, p_chain_next + 1)
    on conflict (chain_id, address) do update set next = greatest(g.next, p_chain_next) + 1
    returning next - 1
$$;

create type payment_offer as (
  id uuid, claim_key text, rail text, payer text, challenge_id text, credential text, expires_at timestamptz,
  dust_micros bigint, topup_account_id uuid,
  -- Its rail can settle less than the payment allows.
  settles_actual boolean
);

-- Accepts a payment for one call, and holds it: both or neither. `joined`: the same payment was accepted before, for
-- the same request. `used`: it was accepted for another request. Otherwise as ledger_hold. The digest of the hold binds
-- the payment to its request, whether or not there is an idempotency key.
create function payment_claim(
  p_gateway integer, p_offer jsonb, p_hold jsonb, p_at_once_max integer,
  out outcome text, out call_id uuid, out payment_id uuid
) language plpgsql as $$
declare
  offer payment_offer := jsonb_populate_record(null::payment_offer, p_offer);
  h hold_request := jsonb_populate_record(null::hold_request, p_hold);
  p payment;
  held record;
begin
  call_id := h.call;
  payment_id := offer.id;
  perform 1 from balance where account_id = h.account for update;
  select * into p from payment where claim_key = offer.claim_key for update;
  if found and p.state <> 'released' then
    outcome := case when p.action = h.action and p.request_digest = h.digest then 'joined' else 'used' end;
    call_id := p.call_id;
    payment_id := p.id;
    return;
  end if;
  begin
    update balance set available = available + h.amount where account_id = h.account;
    select * into held from ledger_hold(p_gateway, h, p_at_once_max);
    if held.outcome <> 'held' then raise exception using errcode = 'TW001'; end if;
    perform post(h.call, 'provisional_credit', house('provisional'), h.account, h.amount);
    insert into payment (id, claim_key, rail, account_id, payer, micros, challenge_id, credential, expires_at, dust_micros,
        topup_account_id, settles_actual, action, request_digest, call_id)
      values (offer.id, offer.claim_key, offer.rail, h.account, offer.payer, h.amount, offer.challenge_id, offer.credential,
        offer.expires_at, offer.dust_micros, offer.topup_account_id,
        offer.settles_actual is true, h.action, h.digest, h.call)
      on conflict (claim_key) do update set state = 'claimed', micros = excluded.micros, challenge_id = excluded.challenge_id,
        credential = excluded.credential, expires_at = excluded.expires_at, dust_micros = excluded.dust_micros,
        topup_account_id = excluded.topup_account_id, settles_actual = excluded.settles_actual, settles = null, action = excluded.action, request_digest = excluded.request_digest,
        call_id = excluded.call_id, charged = null, error = null, updated_at = now()
      returning id into payment_id;
    update call set payment_id = payment_claim.payment_id where id = h.call;
    outcome := 'claimed';
  exception when sqlstate 'TW001' then
    outcome := held.outcome;
    call_id := held.earlier;
    payment_id := null;
  end;
end $$;

create function end_provisional_credit(p payment, p_state text) returns void language plpgsql as $$
begin
  update payment set state = p_state, credential = null, raw_tx = null, updated_at = now() where id = p.id;
  update balance set available = available - p.micros where account_id = p.account_id;
  perform post(p.call_id, 'provisional_credit_end', p.account_id, house('provisional'), p.micros);
end $$;

-- The provisional credit of a wallet ends with its call. While money is on its way, payment_settled and payment_dead
-- decide.
create function wallet_call_ended() returns trigger language plpgsql as $$
declare
  p payment;
begin
  select * into p from payment where id = new.payment_id for update;
  if p.channel_id is not null then
    if p.state = 'claimed' then perform voucher_call_ended(p, new.charged); end if;
  elsif p.state = 'settled' then
    perform refund_remainder(p.id);
  elsif p.state in ('claimed', 'owed') then
    -- It failed, or it delivered nothing that costs: a payment is settled before anything is charged.
    if new.charged > 0 then raise exception 'Call % was charged before its payment was settled.', new.id; end if;
    perform end_provisional_credit(p, 'released');
  end if;
  if new.state = 'settled' and p.topup_account_id is not null then
    update balance set available = available + new.charged where account_id = p.topup_account_id;
    perform post(new.id, 'topup', house('revenue'), p.topup_account_id, new.charged);
  end if;
  return null;
end $$;
create trigger wallet_call_ended after update of state on call
  for each row when (old.state = 'held' and new.state <> 'held' and new.payment_id is not null)
  execute function wallet_call_ended();

-- The payment is to be settled: its call has been answered, or will not begin before it is paid. The answer is stored
-- in the same statement; it is charged, and can be read, once the payment is settled.
create function payment_owed(p_payment uuid, p_charged bigint, p_cost bigint, p_output text, p_timeline text)
returns text language plpgsql as $$
declare
  p payment;
begin
  p := lock_payment(p_payment);
  if p.state = 'claimed' then
    update payment set state = 'owed', settles = case when settles_actual and p_charged > 0 then p_charged end, updated_at = now()
      where id = p.id returning * into p;
  end if;
  if p_charged is null then return p.state; end if;
  if p.state = 'settled' then
    perform ledger_settle(row(p.call_id, p.account_id, 'settled', p_charged, p_cost, null, null, p_output,
      p_timeline::jsonb)::settlement);
  elsif p.state in ('owed', 'settling') then
    update call set output = p_output, cost = p_cost, timeline = p_timeline::jsonb where id = p.call_id and state = 'held';
    update payment set charged = p_charged, updated_at = now() where id = p.id;
  end if;
  return p.state;
end $$;

-- Money may be about to move. From here on callers hear only that the payment is settled, or provably dead.
create function payment_settling(p_payment uuid, p_raw text, p_hash text, p_gas_nonce bigint, p_signed_at_block bigint)
returns boolean language sql as $$
  update payment set state = 'settling', raw_tx = p_raw, tx_hash = p_hash, gas_nonce = p_gas_nonce,
    signed_at_block = p_signed_at_block, updated_at = now()
    where id = p_payment and state = 'owed' returning true
$$;

-- The chain has the payment. Repeating it changes nothing.
create function payment_settled(p_payment uuid, p_hash text, p_block bigint) returns text language plpgsql as $$
declare
  p payment;
  unsettled bigint;
begin
  p := lock_payment(p_payment);
  if p.state <> 'settling' then return p.state; end if;
  unsettled := p.micros - coalesce(p.settles, p.micros);
  p.micros := p.micros - unsettled;
  update payment set state = 'settled', micros = p.micros, tx_hash = coalesce(p_hash, tx_hash), settled_block = p_block,
    finality = 'open', next_check_at = now(), updated_at = now() where id = p.id;
  perform post(p.call_id, 'payment', house('treasury'), house('provisional'), p.micros);
  if (select state from call where id = p.call_id) <> 'held' then
    perform refund_remainder(p.id);
  elsif p.charged is not null then
    perform ledger_settle(row(id, account_id, 'settled', p.charged, cost, null, null, output, timeline)::settlement)
      from call where id = p.call_id;
  end if;
  if unsettled > 0 then
    update balance set available = available - unsettled where account_id = p.account_id;
    perform post(p.call_id, 'provisional_credit_end', p.account_id, house('provisional'), unsettled);
  end if;
  return 'settled';
end $$;

-- The chain can never have the payment any more. The answer that was prepared for it is withheld.
create function payment_dead(p_payment uuid, p_error text, p_by_payer boolean) returns text language plpgsql as $$
declare
  p payment;
begin
  p := lock_payment(p_payment);
  if p.state not in ('owed', 'settling') then return p.state; end if;
  -- Before its call ends: otherwise the end of the call would release the payment, to be used again.
  update payment set state = 'settling' where id = p.id;
  perform ledger_settle(row(id, account_id, 'voided', 0, cost, 'settlement_failed',
      'The payment could not be settled, so nothing was paid. Pay again to have the call run again.', output, timeline)::settlement)
    from call where id = p.call_id;
  perform end_provisional_credit(p, 'dead');
  update payment set error = p_error where id = p.id;
  -- Failures of our own node or gas wallet are not the payer's fault.
  if p.charged is not null and p_by_payer then perform strike_wallet(p.account_id); end if;
  return 'dead';
end $$;
