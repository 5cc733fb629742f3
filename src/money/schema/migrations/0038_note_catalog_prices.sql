-- What another price would earn, and whether it covers the cost, follows from what calls would have been charged at the catalog's price.
create table price_change (
  -- `service/action`
  action text,
  changed_at timestamptz,
  -- From then on, a call cost `price` where the catalog asks `catalog_price`.
  price bigint not null check (price > 0),
  catalog_price bigint not null check (catalog_price > 0),
  primary key (action, changed_at)
);

alter table usage_event add column charged_at_catalog bigint not null default 0;
update usage_event set charged_at_catalog = charged;
alter table usage_of_action_by_hour
  add column charged_at_catalog bigint not null default 0,
  -- The largest known cost of a charged call, in millionths of its charge at the catalog's price. Null: none is known.
  add column cost_share_max bigint;
alter table usage_of_action_by_quarter
  add column charged_at_catalog bigint not null default 0,
  add column cost_share_max bigint;
update usage_of_action_by_hour set charged_at_catalog = charged;
update usage_of_action_by_quarter set charged_at_catalog = charged;

-- A call that is counted here and again with its event changes no maximum.
create temporary table share_by_quarter on commit drop as
  select date_bin('15 minutes', created_at, 'epoch') as quarter, action, max(ceil(cost * 1000000.0 / charged)) as share
  from call where state = 'settled' and charged > 0 and cost is not null group by 1, 2;
update usage_of_action_by_quarter u set cost_share_max = s.share from share_by_quarter s
  where u.since = s.quarter and u.action = s.action and u.error = '';
update usage_of_action_by_hour u set cost_share_max = s.share from (
  select date_bin('1 hour', quarter, 'epoch') as since, action, max(share) as share from share_by_quarter group by 1, 2
) s where u.since = s.since and u.action = s.action and u.error = '';
