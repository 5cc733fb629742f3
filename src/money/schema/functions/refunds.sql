-- Puts the unused part of a settled payment, once its call has ended, where refunds are paid from.
create function refund_remainder(p_payment uuid) returns void language plpgsql as $$
declare
  p payment;
  c record;
  left_over bigint;
begin
  select * into p from payment where id = p_payment;
  select id, state, charged into c from call where id = p.call_id;
  left_over := p.micros - c.charged;
  if p.state <> 'settled' or c.state = 'held' or left_over = 0 then return; end if;
  if p.finality = 'lost' then
    update balance set available = available - left_over where account_id = p.account_id;
    perform post(c.id, 'refund_cancelled', p.account_id, house('losses'), left_over);
    return;
  end if;
  -- Dust stays on the wallet's account. The payment of a failed call is refunded, however small.
  if left_over < p.dust_micros and c.state = 'settled' then return; end if;
  insert into refund (id, payment_id, call_id, rail, payee, micros) values (gen_random_uuid(), p.id, c.id, p.rail, p.payer, left_over)
    on conflict (call_id) do nothing;
  if not found then return; end if;
  update balance set available = available - left_over where account_id = p.account_id;
  perform post(c.id, 'refund_due', p.account_id, house('refunds'), left_over);
end $$;

-- The chain has the refund. False when that was known, or the refund was cancelled.
create function refund_confirmed(p_refund uuid, p_hash text, p_block bigint) returns boolean language plpgsql as $$
declare
  r refund;
begin
  update refund set state = 'confirmed', tx_hash = coalesce(p_hash, tx_hash), settled_block = p_block, finality = 'open',
      times_missing = 0, next_check_at = now(), error = null, confirmed_at = now()
    where id = p_refund and state in ('due', 'signed') returning * into r;
  if not found then return false; end if;
  perform post(r.call_id, 'refund', house('refunds'), house('treasury'), r.micros);
  return true;
end $$;
