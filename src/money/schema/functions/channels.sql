-- Payment channels. A deposit lies in the escrow of a chain. It is a debt to its payer until it is spent: each call
-- holds its highest price against a voucher, and what it costs is spent. The close takes exactly what was spent.
--
--   escrow   -> deposits  deposit             the chain has the deposit, or more of it
--   deposits -> wallet    voucher_credit      a voucher was accepted; its call holds the credit
--   wallet   -> deposits  voucher_credit_end  the part that its call did not cost, or all of it after a failure
--   treasury -> escrow    deposit_captured    the close has paid what was spent
--   deposits -> escrow    deposit_returned    the close has paid the rest back
--   losses   -> deposits  deposit_lost        the payer took back what was spent, because it was not closed in time
--
-- So `escrow` is empty when all channels are closed, and so is `deposits`.

create function post_channel(p_channel text, p_kind text, p_debit uuid, p_credit uuid, p_amount bigint) returns void
language plpgsql as $$
begin
  if p_amount > 0 then
    insert into transfer (kind, debit, credit, amount, reason) values (p_kind, p_debit, p_credit, p_amount, p_channel);
  end if;
end $$;

-- The deposit that the chain has. It opens the channel when it is opening. A smaller one than before is an old answer.
create function channel_funded(p_channel text, p_deposit bigint) returns text language plpgsql as $$
declare
  c channel;
  earlier bigint;
begin
  select * into c from channel where id = p_channel for update;
  earlier := case c.state when 'opening' then 0 else c.deposit end;
  if c.state not in ('opening', 'open') or p_deposit <= earlier then return c.state; end if;
  update channel set state = 'open', deposit = p_deposit, error = null,
    raw_tx = case c.state when 'open' then raw_tx end, valid_until = case c.state when 'open' then valid_until end
    where id = c.id;
  perform post_channel(c.id, 'deposit', house('escrow'), house('deposits'), p_deposit - earlier);
  return 'open';
end $$;

-- Accepts a voucher that pays for no call yet, so that later calls can be held against it.
create function voucher_accept(p_channel text, p_cumulative bigint, p_signature text) returns text language plpgsql as $$
declare
  c channel;
begin
  select * into c from channel where id = p_channel for update;
  if not found or c.state <> 'open' or c.closes then return 'channel_closed'; end if;
  if p_cumulative > c.deposit then return 'beyond_deposit'; end if;
  update channel set accepted = p_cumulative, signature = p_signature where id = c.id and accepted < p_cumulative;
  return 'accepted';
end $$;

-- Accepts a voucher for one call, and holds the highest price of the call: both or neither. `joined`, `used` and the
-- refusals of a hold as in payment_claim. `channel_closed`: it takes no calls. `beyond_deposit`: more than it can pay.
-- `voucher_short`: the voucher leaves less than the call may cost. A voucher never lowers what was accepted before.
create function voucher_claim(
  p_gateway integer, p_channel text, p_cumulative bigint, p_signature text, p_offer jsonb, p_hold jsonb,
  p_at_once_max integer, out outcome text, out call_id uuid, out payment_id uuid
) language plpgsql as $$
declare
  offer payment_offer := jsonb_populate_record(null::payment_offer, p_offer);
  h hold_request := jsonb_populate_record(null::hold_request, p_hold);
  p payment;
  c channel;
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
  select * into c from channel where id = p_channel and account_id = h.account for update;
  outcome := case
    when not found or c.state <> 'open' or c.closes then 'channel_closed'
    when p_cumulative > c.deposit then 'beyond_deposit'
    when p_cumulative < c.spent + c.held + h.amount then 'voucher_short'
  end;
  if outcome is not null then return; end if;
  begin
    update balance set available = available + h.amount where account_id = h.account;
    select * into held from ledger_hold(p_gateway, h, p_at_once_max);
    if held.outcome <> 'held' then raise exception using errcode = 'TW001'; end if;
    perform post(h.call, 'voucher_credit', house('deposits'), h.account, h.amount);
    insert into payment (id, claim_key, rail, account_id, payer, micros, challenge_id, expires_at, dust_micros, action,
        request_digest, call_id, channel_id)
      values (offer.id, offer.claim_key, offer.rail, h.account, offer.payer, h.amount, offer.challenge_id, offer.expires_at,
        0, h.action, h.digest, h.call, c.id)
      on conflict (claim_key) do update set state = 'claimed', micros = excluded.micros, challenge_id = excluded.challenge_id,
        expires_at = excluded.expires_at, action = excluded.action, request_digest = excluded.request_digest,
        call_id = excluded.call_id, charged = null, updated_at = now()
      returning id into payment_id;
    update call set payment_id = voucher_claim.payment_id where id = h.call;
    update channel set accepted = greatest(accepted, p_cumulative),
      signature = case when p_cumulative > accepted or signature is null then p_signature else signature end,
      held = channel.held + h.amount, used_at = now() where id = c.id;
    outcome := 'claimed';
  exception when sqlstate 'TW001' then
    outcome := held.outcome;
    call_id := held.earlier;
    payment_id := null;
  end;
end $$;

-- The call of a voucher has ended: what it cost is spent, and the rest can be spent again.
create function voucher_call_ended(p payment, p_charged bigint) returns void language plpgsql as $$
declare
  left_over bigint := p.micros - p_charged;
  c channel;
begin
  update channel set held = held - p.micros, spent = spent + p_charged, used_at = now(),
    next_check_at = case when closes then now() else next_check_at end where id = p.channel_id returning * into c;
  if left_over > 0 then
    update balance set available = available - left_over where account_id = p.account_id;
    perform post(p.call_id, 'voucher_credit_end', p.account_id, house('deposits'), left_over);
  end if;
  if c.state = 'closed' then
    perform post_channel(c.id, 'deposit_lost', house('losses'), house('deposits'), p_charged);
  end if;
  update payment set state = case when p_charged > 0 then 'settled' else 'released' end,
    micros = case when p_charged > 0 then p_charged else micros end, charged = p_charged, updated_at = now() where id = p.id;
end $$;

-- The close is signed, and will be sent. False: the channel is not ready for it, or another gateway has signed one.
create function channel_closing(p_channel text, p_earlier text, p_spent bigint, p_raw text, p_hash text, p_valid_until timestamptz)
returns boolean language sql as $$
  update channel set state = 'closing', raw_tx = p_raw, tx_hash = p_hash, valid_until = p_valid_until, next_check_at = now(),
      error = null
    where id = p_channel and closes and held = 0 and spent = p_spent
      and (state = 'open' or state = 'closing' and raw_tx = p_earlier)
    returning true
$$;

-- The chain has closed the channel. What the payer took back although it was spent is a loss.
create function channel_closed(p_channel text, p_captured bigint, p_hash text, p_block bigint) returns boolean
language plpgsql as $$
declare
  c channel;
begin
  select * into c from channel where id = p_channel for update;
  if c.state not in ('open', 'closing') then return false; end if;
  update channel set state = 'closed', closes = true, captured = p_captured, tx_hash = p_hash, settled_block = p_block,
    raw_tx = null, valid_until = null, error = null, closed_at = now() where id = c.id;
  perform post_channel(c.id, 'deposit_captured', house('treasury'), house('escrow'), p_captured);
  perform post_channel(c.id, 'deposit_returned', house('deposits'), house('escrow'), c.deposit - p_captured);
  perform post_channel(c.id, 'deposit_lost', house('losses'), house('deposits'), c.spent - p_captured);
  return true;
end $$;

-- Empty when the books of the channels are right.
create view channel_problem as
  with of_calls as (
    select p.channel_id, sum(case c.state when 'held' then c.held else 0 end)::bigint as held, sum(c.charged)::bigint as spent
    from payment p join call c on c.payment_id = p.id where p.channel_id is not null group by 1
  ),
  house_balance as (
    select account_id, sum(amount)::bigint as amount from posting
    where account_id in (house('escrow'), house('deposits')) group by 1
  ),
  funded as (select * from channel where state in ('open', 'closing'))
  select 'a channel holds what no call holds' as rule, h.id as subject, h.held::text as found, coalesce(o.held, 0)::text as expected
  from channel h left join of_calls o on o.channel_id = h.id where h.held <> coalesce(o.held, 0)
  union all
  select 'a channel has spent what no call has cost', h.id, h.spent::text, coalesce(o.spent, 0)::text
  from channel h left join of_calls o on o.channel_id = h.id where h.spent <> coalesce(o.spent, 0)
  union all
  select 'the escrow is not what open channels hold', 'escrow', found::text, expected::text from (
    select coalesce((select -amount from house_balance where account_id = house('escrow')), 0) as found,
      coalesce((select sum(deposit) from funded), 0) as expected
  ) e where found <> expected
  union all
  select 'the deposits are not what open channels have left', 'deposits', found::text, expected::text from (
    select coalesce((select amount from house_balance where account_id = house('deposits')), 0) as found,
      coalesce((select sum(deposit - spent - held) from funded), 0)
        + coalesce((select sum(greatest(captured - spent, 0)) from channel where state = 'closed'), 0)
        - coalesce((select sum(held) from channel where state = 'closed'), 0) as expected
  ) d where found <> expected;
