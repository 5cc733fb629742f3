-- The shares of actions that ran inside calls, such as the steps of plans. Those of an action in a call are one.
create table invoiced_step_cost (
  call_id uuid,
  action text,
  invoice_id uuid not null references vendor_invoice on delete cascade,
  micros bigint not null check (micros >= 0),
  primary key (call_id, action)
);
create index invoiced_step_cost_by_invoice on invoiced_step_cost (invoice_id);
