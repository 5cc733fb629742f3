-- What vendors are still to end: resources that were not paid for, or that are over here. A row is written in the
-- transaction that ends the resource here, and goes when the vendor has ended it.
create table vendor_ending (
  -- By which the vendor finds it. The gateway gave it this name before it asked for it.
  name text primary key,
  -- The provider that has it.
  service text not null,
  -- The vendor's own id, where it is known.
  id text,
  due_at timestamptz not null default now(),
  -- When the vendor was last asked to end it.
  tried_at timestamptz
);
create index vendor_ending_by_trial on vendor_ending (service, tried_at);
-- Before this table, each resource had a row from the start. Its effect is enough, and says from now on who has it.
insert into vendor_ending (name, service, due_at, tried_at)
  select name, service, due_at, tried_at from prepaid_resource where due_at is not null;
update effect e set details = jsonb_build_object('service', p.service)
  from prepaid_resource p where e.kind = 'prepaid_resource' and e.subject = p.name;
drop table prepaid_resource;
