-- What the operator's wallet has paid sellers, written down before it leaves: whatever happens afterwards, the operator can
-- look it up on the chain.
create table seller_payment (
  call_id uuid not null references purchase,
  protocol text not null,
  payee text not null,
  micros bigint not null check (micros >= 0),
  -- The nonce of an authorization, the hash of a transaction.
  chain_reference text not null,
  sent_at timestamptz not null default now(),
  -- When the seller has answered, and what it gave as receipt.
  answered_at timestamptz,
  receipt text,
  primary key (call_id, chain_reference)
);

-- A payment is about to leave. False when its call is not open any more: then it must not.
create function seller_payment_start(
  p_call uuid, p_gateway integer, p_protocol text, p_payee text, p_micros bigint, p_chain_reference text
) returns boolean language plpgsql as $$
begin
  if exists (select 1 from purchase where call_id = p_call) then
    perform 1 from call where id = p_call and state = 'held' for update;
    if not found then return false; end if;
  elsif not purchase_start(p_call, p_call, p_gateway) then
    return false;
  end if;
  insert into seller_payment (call_id, protocol, payee, micros, chain_reference)
    values (p_call, p_protocol, p_payee, p_micros, p_chain_reference);
  return true;
end $$;
