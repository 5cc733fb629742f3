-- What calls cost the operator at vendors. The vendor's word comes first: the reply, then the invoice, then what the
-- operator has declared. Where none of them tells it, the cost is null and never zero.

-- The cost of a call by the replies. A call that its caller pays nothing for may have been given a cost by the prices of
-- the catalog, to limit what such calls cost: no vendor has told that cost.
create function reported_cost(p_charged bigint, p_cost bigint, p_timeline jsonb) returns bigint language sql immutable as $$
  select case when p_cost is null or p_charged = 0 and p_timeline ? 'unreported' then null else p_cost end
$$;

-- Each ended call with its cost, and where the cost comes from. A declared cost is that of a call that was delivered.
create view call_cost as
  select c.id as call_id, c.account_id, c.action, c.state, c.charged, c.created_at,
    coalesce(r.micros, i.micros, d.micros) as cost,
    case when r.micros is not null then 'reported' when i.micros is not null then 'invoice'
      when d.micros is not null then 'declared' end as source
  from call c
  cross join lateral (select reported_cost(c.charged, c.cost, c.timeline) as micros) r
  left join invoiced_cost i on i.call_id = c.id
  left join lateral (
    select p.per_call + case p.per_unit when 0 then 0 else p.per_unit * (c.timeline->>'units')::bigint end as micros
    from declared_cost p where p.action = c.action and p.starts_at <= c.created_at order by p.starts_at desc limit 1
  ) d on c.state = 'settled'
  where c.state <> 'held' and c.action <> 'topups';

-- Spreads an invoice over the delivered calls of its provider and time whose replies did not tell a cost, in proportion
-- to their units, or evenly. Each share is what the shares up to this call come to less what those before it do, so they
-- add up to the amount exactly. Repeating it spreads it anew. Gateways make the ids of calls from their own clocks.
create function spread_invoice(p_invoice uuid, out calls bigint, out running bigint) language plpgsql as $$
declare
  v vendor_invoice;
begin
  select * into v from vendor_invoice where id = p_invoice for update;
  delete from invoiced_cost where invoice_id = v.id;
  select count(*) into running from call c
    where c.state = 'held' and split_part(c.action, '/', 1) = v.provider and c.created_at >= v.since and c.created_at < v.until;
  with part as (
    select c.id, case v.shared_by when 'units' then coalesce((c.timeline->>'units')::numeric, 1) else 1 end as units
    from call c
    where c.state = 'settled' and split_part(c.action, '/', 1) = v.provider
      and c.created_at >= v.since and c.created_at < v.until
      and c.id >= uuid_floor(v.since - interval '10 minutes') and c.id < uuid_floor(v.until + interval '10 minutes')
      and reported_cost(c.charged, c.cost, c.timeline) is null
  ), reached as (
    select id, units, sum(units) over (order by id rows unbounded preceding) as reached, sum(units) over () as total from part
  )
  insert into invoiced_cost (call_id, invoice_id, micros)
    select id, v.id, floor(v.micros * reached / total) - floor(v.micros * (reached - units) / total)
    from reached where total > 0;
  get diagnostics calls = row_count;
end $$;
