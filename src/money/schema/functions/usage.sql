-- The sums of usage equal the ledger at any moment: an event is written in the transaction that ends a call or owes a
-- refund, and readers add the events that no sum contains yet.

create function quarter_of(p_time timestamptz) returns timestamptz language sql immutable as $$
  select date_bin('15 minutes', p_time, 'epoch')
$$;

-- A call that began within the last second before this time may have been quoted at the price before a change: a
-- gateway trusts prices for a quarter of that.
create function charged_at_catalog(p_action text, p_charged bigint, p_began timestamptz) returns bigint
language plpgsql stable as $$
declare
  certain timestamptz := p_began - interval '1 second';
  found bigint;
begin
  -- Of the prices that the call may have had, the highest: its cost is then a larger part of the charge.
  select min(round(p_charged::numeric * catalog_price / price)) into found from (
    (select price, catalog_price from price_change where action = p_action and changed_at <= certain
      order by changed_at desc limit 1)
    union all
    select 1, 1 where not exists (select from price_change where action = p_action and changed_at <= certain)
    union all
    select price, catalog_price from price_change
      where action = p_action and changed_at > certain and changed_at <= p_began
  ) possible;
  return greatest(1, found);
end $$;

-- Notes that an action costs something else from now on, in relation to the catalog.
create function note_price_change(p_action text, p_price bigint, p_catalog_price bigint) returns void language sql as $$
  insert into price_change values (p_action, clock_timestamp(), p_price, p_catalog_price)
$$;

-- The event of a call that has ended. Most actions have the price of the catalog, which costs less to see here than in a
-- function.
create function usage_event_of(
  p_account uuid, p_key uuid, p_action text, p_state text, p_error text, p_charged bigint, p_cost bigint, p_timeline jsonb,
  p_began timestamptz, p_ended timestamptz
)
returns setof usage_event language sql stable as $$
  select quarter_of(p_began), p_account, coalesce(p_key, '00000000-0000-0000-0000-000000000000'), p_action,
    case p_state when 'voided' then coalesce(p_error, 'upstream_error') else '' end, 1, p_charged, 0,
    told_cost(p_charged, p_cost, p_timeline),
    case p_state when 'settled' then greatest(0, extract(epoch from p_ended - p_began) * 1000)::bigint end,
    case when p_charged > 0 and (
      exists (select from price_change where action = p_action) or exists (select from group_price where action = p_action)
    ) then charged_to_at_catalog(p_account, p_action, p_charged, p_began) else p_charged end
$$;

create function count_call() returns trigger language plpgsql as $$
begin
  insert into usage_event
    select * from usage_event_of(new.account_id, new.key_id, new.action, new.state, new.error, new.charged, new.cost,
      new.timeline, new.created_at, new.ended_at);
  return null;
end $$;
create trigger count_call after update of state on call
  for each row when (old.state = 'held' and new.state <> 'held') execute function count_call();

-- Calls on leases have their rows only once they have ended, many in one statement.
create function count_ended_calls() returns trigger language plpgsql as $$
begin
  insert into usage_event
    select e.* from inserted c, usage_event_of(c.account_id, c.key_id, c.action, c.state, c.error, c.charged, c.cost,
      c.timeline, c.created_at, c.ended_at) e
    where c.state <> 'held';
  return null;
end $$;
create trigger count_ended_calls after insert on call referencing new table as inserted
  for each statement execute function count_ended_calls();

create function count_refund() returns trigger language plpgsql as $$
begin
  if new.kind = 'refund_cancelled' and new.debit <> house('refunds') then return null; end if;
  insert into usage_event (quarter, account_id, key_id, action, error, calls, charged, refunded)
    select quarter_of(created_at), account_id, coalesce(key_id, '00000000-0000-0000-0000-000000000000'), action, '', 0, 0,
      case new.kind when 'refund_due' then new.amount else -new.amount end
    from call where id = new.call_id;
  return null;
end $$;
create trigger count_refund after insert on transfer
  for each row when (new.kind in ('refund_due', 'refund_cancelled')) execute function count_refund();

-- The class of durations that a time belongs to. Class n ends at 1.1 to the power of n, in milliseconds.
create function duration_class(p_ms bigint) returns integer language sql immutable as $$
  select ceil(ln(greatest(p_ms, 1)::double precision) / ln(1.1::double precision))::integer
$$;

-- Adds events to the rows of one length: 'hour' or 'quarter'.
create function add_usage(p_length text, p_events usage_event[]) returns void language plpgsql as $$
declare
  step interval := case p_length when 'hour' then interval '1 hour' else interval '15 minutes' end;
begin
  execute format($sql$
    insert into %I as u
      select account_id, date_bin($2, quarter, 'epoch') as since, action, key_id, sum(calls),
        coalesce(sum(calls) filter (where error <> ''), 0), sum(charged), sum(refunded), coalesce(sum(cost), 0), count(cost)
      from unnest($1) group by account_id, since, action, key_id
      on conflict (account_id, since, action, key_id) do update set calls = u.calls + excluded.calls,
        failed_calls = u.failed_calls + excluded.failed_calls, charged = u.charged + excluded.charged,
        refunded = u.refunded + excluded.refunded, cost = u.cost + excluded.cost,
        calls_with_cost = u.calls_with_cost + excluded.calls_with_cost
  $sql$, 'usage_of_account_by_' || p_length) using p_events, step;
  execute format($sql$
    insert into %I as u
      select date_bin($2, quarter, 'epoch') as since, action, error, sum(calls), sum(charged), sum(refunded),
        coalesce(sum(cost), 0), count(cost), count(*) filter (where charged > 0), max(cost) filter (where charged > 0),
        sum(charged_at_catalog), max(ceil(cost * 1000000.0 / charged_at_catalog)) filter (where charged_at_catalog > 0)
      from unnest($1) group by since, action, error
      on conflict (since, action, error) do update set calls = u.calls + excluded.calls,
        charged = u.charged + excluded.charged, refunded = u.refunded + excluded.refunded, cost = u.cost + excluded.cost,
        calls_with_cost = u.calls_with_cost + excluded.calls_with_cost,
        charged_calls = u.charged_calls + excluded.charged_calls, cost_max = greatest(u.cost_max, excluded.cost_max),
        charged_at_catalog = u.charged_at_catalog + excluded.charged_at_catalog,
        cost_share_max = greatest(u.cost_share_max, excluded.cost_share_max)
  $sql$, 'usage_of_action_by_' || p_length) using p_events, step;
end $$;

-- Adds the next events to the sums. Returns their number: none when it is done, or while another gateway does it.
create function sum_usage(p_limit integer) returns integer
language plpgsql
set enable_seqscan = off
as $$
declare
  events usage_event[];
begin
  if not pg_try_advisory_xact_lock(hashtext('tollway.usage')) then return 0; end if;
  with taken as (
    delete from usage_event where ctid = any (array(select ctid from usage_event limit p_limit)) returning *
  )
  select array_agg(t::usage_event) into events from taken t;
  if events is null then return 0; end if;

  perform add_usage('hour', events), add_usage('quarter', events);
  insert into duration_of_action as u
    select utc_day(quarter) as day, action, duration_class(duration_ms) as class, count(*)
    from unnest(events) where duration_ms is not null group by 1, 2, 3
    on conflict (day, action, class) do update set calls = u.calls + excluded.calls;
  return cardinality(events);
end $$;
