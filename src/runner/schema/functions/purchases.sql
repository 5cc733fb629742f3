-- An order is about to leave. False when the call is no longer open: then the order must not leave.
create function purchase_start(p_call uuid, p_reference uuid, p_gateway integer) returns boolean language plpgsql as $$
begin
  -- In the operator's name, so that recovery leaves the call alone.
  update call set gateway_id = 0, expires_at = 'infinity' where id = p_call and state = 'held';
  if not found then return false; end if;
  insert into purchase (call_id, reference, gateway_id) values (p_call, p_reference, p_gateway);
  return true;
end $$;

-- The seller may or may not have taken the order. The call stays open, with its hold, for the operator.
create function purchase_doubt(p_call uuid, p_doubt text, p_error text, p_message text, p_timeline text) returns void
language plpgsql as $$
begin
  update purchase set doubt = p_doubt where call_id = p_call;
  update call set error = p_error, message = p_message, timeline = p_timeline::jsonb where id = p_call and state = 'held';
end $$;

-- Orders that need the operator: those in doubt, and those whose gateway stopped while they were under way.
create view purchase_unknown as
  select p.call_id, p.reference, p.started_at, c.account_id, c.action, c.held, c.idempotency_key,
    coalesce(p.doubt, 'The gateway stopped while the order was under way.') as doubt
  from purchase p join call c on c.id = p.call_id
  where p.resolved_at is null and c.state = 'held' and (p.doubt is not null or not gateway_lives(p.gateway_id));

-- A payment to a seller is about to leave. False when its call is no longer open: then the payment must not leave.
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

-- Ends a call in doubt as the operator decides. False when it has ended already. What the call had done stays in its
-- timeline.
create function purchase_resolve(p_settlement jsonb, p_outcome text, p_note text) returns boolean language plpgsql as $$
declare
  s settlement := jsonb_populate_record(null::settlement, p_settlement);
begin
  perform 1 from balance where account_id = s.account for update;
  s.timeline := (select timeline from call where id = s.call);
  if (select outcome from ledger_settle(s)) = 'gone' then return false; end if;
  update purchase set resolved_at = now(), resolution = p_outcome, note = p_note where call_id = s.call;
  return true;
end $$;
