-- The ids that vendors have issued for work that a caller has paid for: crawls, tasks, searches. Only the payer may ask
-- about them. A vendor that does the same work for two callers may answer both with one id: then both own it.
create table vendor_handle (
  account_id uuid not null,
  namespace text not null,
  kind text not null,
  id text not null,
  created_at timestamptz not null default now(),
  primary key (namespace, kind, id, account_id)
);
create index vendor_handle_by_owner on vendor_handle (account_id, namespace, kind, created_at desc);
create index vendor_handle_by_time on vendor_handle (created_at);
