-- A reorganisation can remove a block. The signed transaction of a payment or a refund is kept until its block is
-- final. Until then the chain is asked for it, and it is sent again when it is missing. A payment that can never be
-- mined again is a loss:
--
--   losses    -> treasury  payment_lost      the chain no longer has the payment, and never will
--   refunds   -> losses    refund_cancelled  a refund of it that was not begun is no longer owed
--   wallet    -> losses    refund_cancelled  nor is the unused part, when its call ends later
--   treasury  -> refunds   refund_reopened   a refund that the chain no longer has is owed again

-- Nothing can take the payment back any more, so the signed text is deleted.
create function payment_final(p_payment uuid, p_hash text, p_block bigint) returns void language sql as $$
  update payment set finality = 'final', tx_hash = coalesce(p_hash, tx_hash), settled_block = p_block, credential = null,
    raw_tx = null, times_missing = 0, dead_since_block = null, updated_at = now()
  where id = p_payment and finality = 'open'
$$;

-- The chain had the payment and can never have it again. Its call keeps its answer; the operator bears the loss.
create function payment_lost(p_payment uuid, p_error text, p_by_payer boolean) returns boolean language plpgsql as $$
declare
  p payment;
  owed bigint;
begin
  p := lock_payment(p_payment);
  if p.finality is distinct from 'open' then return false; end if;
  update payment set finality = 'lost', error = p_error, credential = null, raw_tx = null, updated_at = now() where id = p.id;
  perform post(p.call_id, 'payment_lost', house('losses'), house('treasury'), p.micros);
  update refund set state = 'cancelled', error = 'The payment was lost.' where payment_id = p.id and state = 'due'
    returning micros into owed;
  if found then perform post(p.call_id, 'refund_cancelled', house('refunds'), house('losses'), owed); end if;
  if p_by_payer then perform strike_wallet(p.account_id); end if;
  return true;
end $$;

create function refund_final(p_refund uuid, p_hash text, p_block bigint) returns void language sql as $$
  update refund set finality = 'final', tx_hash = coalesce(p_hash, tx_hash), settled_block = p_block, raw_tx = null, times_missing = 0
  where id = p_refund and finality = 'open'
$$;

-- The chain can never have this transaction of the refund again: it is owed again, and the worker takes it up. A late
-- verdict on an earlier transaction changes nothing. The signed text stays until there is another.
create function refund_reopened(p_refund uuid, p_hash text) returns boolean language plpgsql as $$
declare
  r refund;
begin
  update refund set state = 'due', finality = null, settled_block = null, times_missing = 0, confirmed_at = null,
      next_attempt_at = now(), error = 'The chain no longer has this refund; it is sent again.'
    where id = p_refund and finality = 'open' and tx_hash = p_hash returning * into r;
  if not found then return false; end if;
  perform post(r.call_id, 'refund_reopened', house('treasury'), house('refunds'), r.micros);
  return true;
end $$;
