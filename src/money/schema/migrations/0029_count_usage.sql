-- What calls cost, by hour and by quarter hour: the sums that people read are taken from these rows instead of from each call.
-- Most time zones begin their days with a whole hour of UTC, the others with a quarter.

-- What happened since the sums were last brought up to date. Each row is written with the posting that it counts.
create table usage_event (
  quarter timestamptz not null,
  account_id uuid not null,
  key_id uuid not null,
  action text not null,
  -- Empty: the call succeeded.
  error text not null,
  -- Zero for a refund, which belongs to a call that was counted when it ended.
  calls integer not null,
  charged bigint not null,
  refunded bigint not null,
  -- Null: no provider reported one.
  cost bigint,
  -- From the start of the call to its end. Null where it failed.
  duration_ms bigint
) with (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000);

-- Each call is counted once in the rows of an hour, and once in those of a quarter hour.
create table usage_of_account_by_hour (
  account_id uuid,
  -- When the calls began.
  since timestamptz,
  action text,
  -- Zero for a wallet, which has no key.
  key_id uuid,
  calls bigint not null,
  failed_calls bigint not null,
  charged bigint not null,
  refunded bigint not null,
  cost bigint not null,
  calls_with_cost bigint not null,
  primary key (account_id, since, action, key_id)
);
create table usage_of_account_by_quarter (like usage_of_account_by_hour including all);

create table usage_of_action_by_hour (
  since timestamptz,
  action text,
  -- Empty: the calls succeeded.
  error text,
  calls bigint not null,
  charged bigint not null,
  refunded bigint not null,
  cost bigint not null,
  calls_with_cost bigint not null,
  -- The largest cost of one call as a part of its charge. Null: none was charged and has a known cost.
  cost_share_max double precision,
  primary key (since, action, error)
);
create table usage_of_action_by_quarter (like usage_of_action_by_hour including all);

-- How long the successful calls of a day (UTC) took. Each class reaches 10 % further than the one before it.
create table duration_of_action (
  day date,
  action text,
  class integer,
  calls bigint not null,
  primary key (day, action, class)
);

insert into usage_event (quarter, account_id, key_id, action, error, calls, charged, refunded, cost, duration_ms)
  select date_bin('15 minutes', c.created_at, 'epoch'), c.account_id,
    coalesce(c.key_id, '00000000-0000-0000-0000-000000000000'), c.action,
    case c.state when 'voided' then coalesce(c.error, 'upstream_error') else '' end, 1, c.charged,
    coalesce((
      select sum(case t.kind when 'refund_due' then t.amount else -t.amount end)::bigint from transfer t
      where t.call_id = c.id and (
        t.kind = 'refund_due' or t.kind = 'refund_cancelled' and t.debit = '00000000-0000-7000-8000-000000000005'
      )
    ), 0),
    c.cost,
    case c.state when 'settled' then greatest(0, extract(epoch from c.ended_at - c.created_at) * 1000)::bigint end
  from call c where c.state <> 'held';
