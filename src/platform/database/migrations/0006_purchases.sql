-- Orders that calls have sent to sellers, written down before they leave. Once one has left, nobody but its own call or
-- the operator may end that call: what was bought must not be given back, nor bought again.
create table purchase (
  call_id uuid primary key,
  -- What the seller was given as idempotency key.
  reference uuid not null,
  gateway_id integer not null,
  -- Why the outcome is not known; null while the order is under way, and where all went well.
  doubt text,
  started_at timestamptz not null default now(),
  resolved_at timestamptz,
  resolution text check (resolution in ('charge', 'void')),
  note text
);
create index purchase_open on purchase (started_at) where resolved_at is null;

-- Number 0 is no gateway: it stands for the operator, who is always there. A call in its name is never taken for abandoned.
create or replace function gateway_lives(p_number integer) returns boolean language sql as $$
  select p_number = 0 or exists (
    select 1 from pg_locks
    where locktype = 'advisory' and granted and objsubid = 2 and objid::bigint = p_number
      and database = (select oid from pg_database where datname = current_database())
      and classid::bigint = (hashtext('tollway.gateway')::bigint & 4294967295)
  )
$$;

-- An order is about to leave. False when the call is not open any more: then it must not.
create function purchase_start(p_call uuid, p_reference uuid, p_gateway integer) returns boolean language plpgsql as $$
begin
  update call set gateway_id = 0, expires_at = 'infinity' where id = p_call and state = 'held';
  if not found then return false; end if;
  insert into purchase (call_id, reference, gateway_id) values (p_call, p_reference, p_gateway);
  return true;
end $$;

-- It is not certain whether the seller took the order. The call stays open, with its hold, for the operator.
create function purchase_doubt(p_call uuid, p_doubt text, p_error text, p_message text, p_timeline text) returns void
language plpgsql as $$
begin
  update purchase set doubt = p_doubt where call_id = p_call;
  update call set error = p_error, message = p_message, timeline = p_timeline::jsonb where id = p_call and state = 'held';
end $$;

-- What the operator must look at: orders in doubt, and those whose gateway is gone in the middle.
create view purchase_unknown as
  select p.call_id, p.reference, p.started_at, c.account_id, c.action, c.held, c.idempotency_key,
    coalesce(p.doubt, 'The gateway stopped while the order was under way.') as doubt
  from purchase p join call c on c.id = p.call_id
  where p.resolved_at is null and c.state = 'held' and (p.doubt is not null or not gateway_lives(p.gateway_id));
