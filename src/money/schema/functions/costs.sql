-- What calls cost the operator at vendors. The vendor's word comes first: the reply, then the invoice, then what the
-- operator has declared. Where none of them tells it, the cost is null and never zero.

-- A price rule of an API that the operator sells may declare a cost with the action itself. A call notes it as it ends, in
-- its timeline; what is declared for a time, which may be in the past, replaces it.

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
-- plan do, costs what an invoice or a declaration says of them, besides what is known of the call itself. Where neither
-- does, the cost of the call is unknown. What is given away at the price 0 is not a sale, the free calls of a day among it.
create view call_cost as
  select c.id as call_id, c.account_id, c.action, c.state, c.charged, c.created_at,
    c.held > 0 as is_sale,
    case c.state when 'voided' then coalesce(c.error, 'upstream_error') else '' end as error,
    case when s.micros is null then o.micros when s.all_known then coalesce(o.micros, 0) + s.micros end as cost,
    case when not s.all_known then null when r.micros is not null then 'reported'
      when i.micros is not null or o.micros is null and s.invoiced then 'invoice'
      when o.micros is not null or s.micros is not null then 'declared' end as source
  from call c
  cross join lateral (select reported_cost(c.charged, c.cost, c.timeline) as micros) r
  left join invoiced_cost i on i.call_id = c.id
  left join lateral (
    select coalesce(
      (select p.per_call + case p.per_unit when 0 then 0 else p.per_unit * (c.timeline->>'units')::bigint end
        from declared_at(c.action, c.created_at) p),
      (c.timeline->>'declared')::bigint) as micros
  ) d on c.state = 'settled'
  cross join lateral (select coalesce(r.micros, i.micros, d.micros) as micros) o
  left join lateral (
    select coalesce(sum(coalesce(v.micros, p.micros)), 0)::bigint as micros,
      bool_and(coalesce(v.micros, p.micros) is not null) as all_known, bool_or(v.micros is not null) as invoiced
    from jsonb_each(c.timeline->'untold') u (action, told)
    left join invoiced_step_cost v on v.call_id = c.id and v.action = u.action
    left join lateral (
      select coalesce(
        (select per_call * (u.told->>'calls')::bigint
            + case per_unit when 0 then 0 else per_unit * (u.told->>'units')::bigint end
          from declared_at(u.action, c.created_at)),
        (u.told->>'declared')::bigint) as micros
    ) p on true
  ) s on c.timeline ? 'untold'
  where c.state <> 'held' and c.action <> 'topups';

-- What replies, and price rules, have told of the whole call. Null where they have not, of it or of a part of it.
create function told_cost(p_charged bigint, p_cost bigint, p_timeline jsonb) returns bigint language sql immutable as $$
  select case when p_timeline ? 'untold' then (
      select case when bool_and(told ? 'declared') then
        coalesce(reported_cost(p_charged, p_cost, p_timeline), 0) + sum((told->>'declared')::bigint)::bigint end
      from jsonb_each(p_timeline->'untold') u (action, told)
    ) else coalesce(reported_cost(p_charged, p_cost, p_timeline), (p_timeline->>'declared')::bigint) end
$$;

-- Spreads an invoice over what its provider has delivered in its time without telling a cost, as calls and inside of
-- calls, in proportion to the units, or evenly. Each share is what the shares up to it come to less what those before it
-- do, so they add up to the amount exactly. Repeating it spreads it anew. Gateways make the ids of calls from their own
-- clocks. `calls`: those that have a share.
create function spread_invoice(p_invoice uuid, out calls bigint, out running bigint) language plpgsql as $$
declare
  v vendor_invoice;
begin
  select * into v from vendor_invoice where id = p_invoice for update;
  delete from invoiced_cost where invoice_id = v.id;
  delete from invoiced_step_cost where invoice_id = v.id;
  select count(*) into running from call c
    where c.state = 'held' and split_part(c.action, '/', 1) = v.provider and c.created_at >= v.since and c.created_at < v.until;
  with ended as (
    select * from call c
    where c.state <> 'held' and c.created_at >= v.since and c.created_at < v.until
      and c.id >= uuid_floor(v.since - interval '10 minutes') and c.id < uuid_floor(v.until + interval '10 minutes')
  ), part as (
    select c.id, '' as step, case v.shared_by when 'units' then coalesce((c.timeline->>'units')::numeric, 1) else 1 end as units
    from ended c
    where c.state = 'settled' and split_part(c.action, '/', 1) = v.provider
      and reported_cost(c.charged, c.cost, c.timeline) is null
    union all
    select c.id, u.action,
      coalesce(case v.shared_by when 'units' then u.told->>'units' end, u.told->>'calls')::numeric
    from ended c cross join lateral jsonb_each(c.timeline->'untold') u (action, told)
    where c.timeline ? 'untold' and split_part(u.action, '/', 1) = v.provider
  ), reached as (
    select id, step, units, sum(units) over (order by id, step rows unbounded preceding) as reached, sum(units) over () as total
    from part
  ), share as (
    select id, step, (floor(v.micros * reached / total) - floor(v.micros * (reached - units) / total))::bigint as micros
    from reached where total > 0
  ), of_calls as (
    insert into invoiced_cost (call_id, invoice_id, micros) select id, v.id, micros from share where step = ''
  ), of_steps as (
    insert into invoiced_step_cost (call_id, action, invoice_id, micros)
      select id, step, v.id, micros from share where step <> ''
  )
  select count(distinct id) into calls from share;
end $$;
