-- What another price would earn follows from how many calls were charged, and whether it covers the largest cost of one of them.
alter table usage_of_action_by_hour
  drop column cost_share_max,
  -- Free misses are left out.
  add column charged_calls bigint not null default 0,
  -- The largest cost of a charged call. Null: none is known.
  add column cost_max bigint;
alter table usage_of_action_by_quarter
  drop column cost_share_max,
  add column charged_calls bigint not null default 0,
  add column cost_max bigint;

-- Calls whose events are not in the sums yet are counted with their events.
create temporary table charged_by_quarter on commit drop as
  select quarter, action, sum(calls) as calls, max(cost) as cost_max from (
    select date_bin('15 minutes', created_at, 'epoch') as quarter, action, 1 as calls, cost
      from call where state = 'settled' and charged > 0
    union all
    select quarter, action, -1, null from usage_event where charged > 0
  ) each group by quarter, action;
update usage_of_action_by_quarter u set charged_calls = c.calls, cost_max = c.cost_max
  from charged_by_quarter c where u.since = c.quarter and u.action = c.action and u.error = '';
update usage_of_action_by_hour u set charged_calls = c.calls, cost_max = c.cost_max from (
  select date_bin('1 hour', quarter, 'epoch') as since, action, sum(calls) as calls, max(cost_max) as cost_max
  from charged_by_quarter group by 1, 2
) c where u.since = c.since and u.action = c.action and u.error = '';
