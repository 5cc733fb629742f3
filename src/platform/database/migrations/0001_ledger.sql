-- The books. Every amount is an integer of micro-dollars. A transfer moves an amount from one account (debit) to
-- another (credit), so that the books sum to zero by construction; `posting` shows its two legs.
--
-- Rows of `call` and `transfer` carry no foreign keys: checking them costs a tenth of a paid call, only the functions
-- below write them, and `ledger_problem` proves that every one has its account.

create table account (
  id uuid primary key,
  kind text not null check (kind in ('caller', 'house')),
  name text,
  owner_email text,
  claim_hash bytea unique,
  claimed_at timestamptz,
  created_at timestamptz not null default now()
);

-- A house account has no row in `balance`: one row that every call updates would queue all calls behind each other.
insert into account (id, kind, name) values
  ('00000000-0000-7000-8000-000000000001', 'house', 'revenue'),
  ('00000000-0000-7000-8000-000000000002', 'house', 'credit');

create table balance (
  account_id uuid primary key references account,
  available bigint not null default 0 check (available >= 0),
  held bigint not null default 0 check (held >= 0),
  in_flight integer not null default 0 check (in_flight >= 0)
) with (fillfactor = 70);

create table api_key (
  id uuid primary key,
  account_id uuid not null references account,
  hash bytea not null unique,
  prefix text not null,
  name text,
  call_micros_max bigint,
  day_micros_max bigint,
  month_micros_max bigint,
  actions text[],
  expires_at timestamptz,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);
create index api_key_by_account on api_key (account_id);

-- What a key with a daily or monthly limit has spent or holds in the period that starts then (UTC).
create table key_spend (
  key_id uuid not null references api_key,
  period text not null check (period in ('day', 'month')),
  starts date not null,
  micros bigint not null check (micros >= 0),
  primary key (key_id, period, starts)
);

create table call (
  id uuid primary key,
  account_id uuid not null,
  key_id uuid not null,
  action text not null,
  state text not null default 'held' check (state in ('held', 'settled', 'voided')),
  idempotency_key text,
  request_digest bytea,
  held bigint not null check (held >= 0),
  charged bigint not null default 0 check (charged between 0 and held),
  cost bigint,
  available_after bigint,
  error text,
  message text,
  output text,
  timeline jsonb,
  gateway_id integer not null,
  -- A job is a call that outlives its request: any gateway may work on it, and its input is kept until it ends.
  job boolean not null default false,
  input text,
  progress jsonb,
  started_at timestamptz,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  ended_at timestamptz
) with (fillfactor = 85);
create index call_open on call (expires_at) where state = 'held';
create index call_by_account on call (account_id, id desc);
create index call_open_job on call (account_id, action) where state = 'held' and job;
create unique index call_once on call (account_id, idempotency_key) where idempotency_key is not null;

-- What a job has finished so far, so that a worker that takes it over need not do it again.
create table checkpoint (
  call_id uuid not null,
  name text not null,
  value text not null,
  primary key (call_id, name)
);

create table transfer (
  id bigint generated always as identity primary key,
  call_id uuid,
  debit uuid not null,
  credit uuid not null check (credit <> debit),
  amount bigint not null check (amount > 0),
  kind text not null check (kind in ('charge', 'credit')),
  reason text,
  created_at timestamptz not null default now()
);
create unique index transfer_charges_once on transfer (call_id) where kind = 'charge';
create index transfer_by_debit on transfer (debit);
create index transfer_by_credit on transfer (credit);

create view posting as
  select id as transfer_id, debit as account_id, -amount as amount from transfer
  union all
  select id, credit, amount from transfer;

-- A gateway process holds the advisory lock (hashtext('tollway.gateway'), its number) for as long as it lives.
create sequence gateway_number as integer;
create function gateway_lives(p_number integer) returns boolean language sql as $$
  select exists (
    select 1 from pg_locks
    where locktype = 'advisory' and granted and objsubid = 2 and objid::bigint = p_number
      and database = (select oid from pg_database where datname = current_database())
      and classid::bigint = (hashtext('tollway.gateway')::bigint & 4294967295)
  )
$$;

-- Whether a key may spend this amount on this action now; null when it may. Counts the amount against its limits.
create function spend_from_key(p_key uuid, p_account uuid, p_action text, p_amount bigint) returns text
language plpgsql as $$
declare
  k record;
  spending record;
begin
  select * into k from api_key where id = p_key and account_id = p_account;
  if not found or k.revoked_at is not null or k.expires_at <= now() then return 'key_invalid'; end if;
  if k.actions is not null and not (p_action = any (k.actions) or split_part(p_action, '/', 1) || '/*' = any (k.actions)) then
    return 'action_not_allowed';
  end if;
  if p_amount > k.call_micros_max then return 'key_limit'; end if;
  for spending in
    select period, most, date_trunc(period, now() at time zone 'utc')::date as starts
    from (values ('day', k.day_micros_max), ('month', k.month_micros_max)) as v (period, most) where most is not null
  loop
    insert into key_spend values (p_key, spending.period, spending.starts, 0) on conflict do nothing;
    update key_spend set micros = micros + p_amount
      where key_id = p_key and period = spending.period and starts = spending.starts and micros + p_amount <= spending.most;
    if not found then
      -- The daily limit may have counted it before the monthly one refused.
      if spending.period = 'month' and k.day_micros_max is not null then
        update key_spend set micros = micros - p_amount
          where key_id = p_key and period = 'day' and starts = (now() at time zone 'utc')::date;
      end if;
      return 'key_limit';
    end if;
  end loop;
  return null;
end $$;

-- Holds the price of a call and claims its idempotency key. Whoever calls it has locked the caller's balance row. The
-- most that may run at once counts all calls of the account, or all jobs of this action.
create function ledger_hold(
  p_gateway integer, p_call uuid, p_account uuid, p_key uuid, p_action text, p_amount bigint,
  p_idempotency text, p_digest bytea, p_lifetime_ms bigint, p_at_once_max integer,
  p_job boolean default false, p_input text default null,
  out outcome text, out available bigint, out earlier uuid
) language plpgsql as $$
declare
  b record;
  c record;
begin
  select * into b from balance where account_id = p_account;
  if not found then outcome := 'key_invalid'; return; end if;
  available := b.available;
  -- A batch whose reply was lost is sent again, with the same ids.
  select id, state into c from call where id = p_call;
  if found then outcome := case c.state when 'held' then 'held' else 'expired' end; return; end if;
  if p_idempotency is not null then
    select id, state, job, action, request_digest into c
      from call where account_id = p_account and idempotency_key = p_idempotency;
    if found then
      earlier := c.id;
      outcome := case when c.action <> p_action or c.request_digest <> p_digest then 'mismatch'
        when c.state = 'held' and not c.job then 'in_progress' else 'replay' end;
      return;
    end if;
  end if;
  if p_job then
    select count(*) into b.in_flight from call where account_id = p_account and action = p_action and state = 'held' and job;
  end if;
  if b.in_flight >= p_at_once_max then outcome := 'too_many_inflight'; return; end if;
  if b.available < p_amount then outcome := 'insufficient'; return; end if;
  outcome := spend_from_key(p_key, p_account, p_action, p_amount);
  if outcome is not null then return; end if;
  insert into call (id, account_id, key_id, action, idempotency_key, request_digest, held, gateway_id, job, input, expires_at)
    values (p_call, p_account, p_key, p_action, p_idempotency, p_digest, p_amount, p_gateway, p_job, p_input,
      now() + p_lifetime_ms * interval '1 ms');
  update balance set available = balance.available - p_amount, held = held + p_amount,
    in_flight = in_flight + (not p_job)::integer
    where account_id = p_account returning balance.available into available;
  outcome := 'held';
end $$;

-- Ends a held call: charges it, gives back the rest, stores the answer. A void charges nothing.
create function ledger_settle(
  p_call uuid, p_state text, p_charged bigint, p_cost bigint, p_error text, p_message text, p_output text, p_timeline text,
  out outcome text, out available bigint
) language plpgsql as $$
declare
  c record;
begin
  select account_id, key_id, state, job, held, charged, created_at, available_after into c from call where id = p_call;
  if not found then outcome := 'gone'; return; end if;
  if c.state <> 'held' or p_charged > c.held then
    -- A batch whose reply was lost is sent again.
    outcome := case when c.state = p_state and c.charged = p_charged then 'done' else 'gone' end;
    available := c.available_after;
    return;
  end if;
  update balance b set available = b.available + c.held - p_charged, held = b.held - c.held,
    in_flight = b.in_flight - (not c.job)::integer
    where b.account_id = c.account_id returning b.available into available;
  update call set state = p_state, charged = p_charged, cost = p_cost, error = p_error, message = p_message,
    output = p_output, input = null, progress = null, timeline = p_timeline::jsonb, available_after = ledger_settle.available, ended_at = clock_timestamp(),
    -- A call that failed frees its key, so that the caller may try again with it.
    idempotency_key = case p_state when 'settled' then idempotency_key end
    where id = p_call;
  if c.job then delete from checkpoint where call_id = p_call; end if;
  if p_charged > 0 then
    insert into transfer (call_id, debit, credit, amount, kind)
      values (p_call, c.account_id, '00000000-0000-7000-8000-000000000001', p_charged, 'charge');
  end if;
  if c.held > p_charged then
    update key_spend k set micros = k.micros - (c.held - p_charged)
      where k.key_id = c.key_id and (k.period = 'day' and k.starts = (c.created_at at time zone 'utc')::date
        or k.period = 'month' and k.starts = date_trunc('month', c.created_at at time zone 'utc')::date);
  end if;
  outcome := 'done';
end $$;

-- One event-loop turn of a gateway: its settles first, since they free what holds may need, then its holds, in order.
-- Repeating a commit changes nothing. Its plans are made once: planning them anew would cost more than running them,
-- and a plan made while the tables were still empty must not read them from end to end.
create function ledger_commit(
  p_gateway integer, p_in_flight_max integer,
  s_call uuid[], s_account uuid[], s_state text[], s_charged bigint[], s_cost bigint[], s_error text[], s_message text[],
  s_output text[], s_timeline text[],
  h_call uuid[], h_account uuid[], h_key uuid[], h_action text[], h_amount bigint[], h_idempotency text[], h_digest bytea[],
  h_lifetime_ms bigint[]
) returns table (kind text, place integer, outcome text, available bigint, earlier uuid)
language plpgsql
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
begin
  -- Always in the same order, so that two gateways with the same accounts in their batches never wait for each other.
  perform 1 from balance where account_id = any (s_account || h_account) order by account_id for update;
  return query select 'settle', t.place::integer, s.outcome, s.available, null::uuid
    from unnest(s_call, s_state, s_charged, s_cost, s_error, s_message, s_output, s_timeline)
      with ordinality as t (call, state, charged, cost, error, message, output, timeline, place),
    lateral ledger_settle(t.call, t.state, t.charged, t.cost, t.error, t.message, t.output, t.timeline) s;
  return query select 'hold', t.place::integer, h.outcome, h.available, h.earlier
    from unnest(h_call, h_account, h_key, h_action, h_amount, h_idempotency, h_digest, h_lifetime_ms)
      with ordinality as t (call, account, key, action, amount, idempotency, digest, lifetime_ms, place),
    lateral ledger_hold(p_gateway, t.call, t.account, t.key, t.action, t.amount, t.idempotency, t.digest, t.lifetime_ms,
      p_in_flight_max) h;
end $$;

-- Adds to a balance what the operator grants.
create function ledger_credit(p_account uuid, p_amount bigint, p_reason text) returns bigint language plpgsql as $$
declare
  after bigint;
begin
  update balance set available = balance.available + p_amount where account_id = p_account returning balance.available into after;
  if not found then return null; end if;
  insert into transfer (debit, credit, amount, kind, reason)
    values ('00000000-0000-7000-8000-000000000002', p_account, p_amount, 'credit', p_reason);
  return after;
end $$;

-- Calls whose gateway is gone, or whose deadline has passed, and that nobody will settle any more.
create function abandoned_calls(p_limit integer) returns table (id uuid, account_id uuid) language sql as $$
  select c.id, c.account_id from call c
  where c.state = 'held' and (
    c.expires_at < now()
    or not c.job and not gateway_lives(c.gateway_id)
  )
  limit p_limit
$$;

-- Empty when the books are right.
create view ledger_problem as
  with posted as (select account_id, sum(amount)::bigint as amount from posting group by 1),
  open as (select account_id, sum(held)::bigint as held, count(*) filter (where not job)::integer as calls from call
    where state = 'held' group by 1),
  charges as (select call_id, sum(amount)::bigint as amount from transfer where kind = 'charge' group by 1)
  select 'a balance is not the sum of its postings' as rule, b.account_id::text as subject,
    (b.available + b.held)::text as found, coalesce(p.amount, 0)::text as expected
  from balance b left join posted p using (account_id) where b.available + b.held <> coalesce(p.amount, 0)
  union all
  select 'an amount is held that no open call holds', b.account_id::text, b.held::text, coalesce(o.held, 0)::text
  from balance b left join open o using (account_id) where b.held <> coalesce(o.held, 0)
  union all
  select 'calls in flight are not the open calls', b.account_id::text, b.in_flight::text, coalesce(o.calls, 0)::text
  from balance b left join open o using (account_id) where b.in_flight <> coalesce(o.calls, 0)
  union all
  select 'a call is charged otherwise than posted', c.id::text, c.charged::text, coalesce(t.amount, 0)::text
  from call c left join charges t on t.call_id = c.id where c.charged <> coalesce(t.amount, 0)
  union all
  select 'a failed call was charged', c.id::text, c.charged::text, '0' from call c where c.state = 'voided' and c.charged > 0
  union all
  select 'a charge belongs to no call', t.call_id::text, t.amount::text, 'no charge'
  from charges t where not exists (select 1 from call c where c.id = t.call_id)
  union all
  select 'postings name an account that does not exist', p.account_id::text, p.amount::text, 'no posting'
  from posted p where not exists (select 1 from account a where a.id = p.account_id)
  union all
  select 'a call belongs to an account without a balance', c.account_id::text, count(*)::text, '0'
  from call c where not exists (select 1 from balance b where b.account_id = c.account_id) group by c.account_id
  union all
  select 'the books do not sum to zero', 'all', sum(amount)::text, '0' from posting having sum(amount) <> 0;
