-- What calls cost the operator at vendors. The vendor's word comes first: the reply, then the invoice, then what the
-- operator has declared. Where none of them tells it, the cost is null and never zero.

-- The cost of a call by the replies. A call that its caller pays nothing for may have been given a cost by the prices of
-- the catalog, to limit what such calls cost: no vendor has told that cost.
create function reported_cost(p_charged bigint, p_cost bigint, p_timeline jsonb) returns bigint language sql immutable as $$
  select case when p_cost is null or p_charged = 0 and p_timeline ? 'unreported' then null else p_cost end
$$;

-- What the operator has declared for calls of an action that begin at this time.
create function declared_at(p_action text, p_time timestamptz) returns setof declared_cost language sql stable as $$
  select * from declared_cost where action = p_action and starts_at <= p_time order by starts_at desc limit 1
$$;

-- Each ended call with its cost, and where the cost comes from: the only place that says what a cost is. A declared cost
-- is that of a call that was delivered. What actions inside a call delivered without telling a cost, as the steps of a
-- plan do, costs what is declared for them, besides what is known of the call itself.
create view call_cost as
  select c.id as call_id, c.account_id, c.action, c.state, c.charged, c.created_at,
    case c.state when 'voided' then coalesce(c.error, 'upstream_error') else '' end as error,
    case when s.micros is null then o.micros else coalesce(o.micros, 0) + s.micros end as cost,
    case when r.micros is not null then 'reported' when i.micros is not null then 'invoice'
      when o.micros is not null or s.micros is not null then 'declared' end as source
  from call c
  cross join lateral (select reported_cost(c.charged, c.cost, c.timeline) as micros) r
  left join invoiced_cost i on i.call_id = c.id
  left join lateral (
    select p.per_call + case p.per_unit when 0 then 0 else p.per_unit * (c.timeline->>'units')::bigint end as micros
    from declared_at(c.action, c.created_at) p
  ) d on c.state = 'settled'
  cross join lateral (select coalesce(r.micros, i.micros, d.micros) as micros) o
  left join lateral (
    select sum(p.per_call * (u.told->>'calls')::bigint
        + case p.per_unit when 0 then 0 else p.per_unit * (u.told->>'units')::bigint end)::bigint as micros
    from jsonb_each(c.timeline->'untold') u (action, told) cross join lateral declared_at(u.action, c.created_at) p
  ) s on c.timeline ? 'untold'
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
