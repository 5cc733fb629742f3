-- Some ids name things that are paid once and kept, such as repositories. They must not be forgotten with the others.
alter table vendor_handle
  add column is_kept boolean not null default false,
  -- The thing was removed. Its id is forgotten like the others, and listed no more.
  add column has_ended boolean not null default false;
drop index vendor_handle_by_time;
create index vendor_handle_by_time on vendor_handle (created_at) where not is_kept;
