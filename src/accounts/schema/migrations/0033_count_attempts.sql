-- How often something was tried in a window of time. All gateways of the database count together.
create table attempt_window (
  -- Of what is counted and of whose attempts they are, so that no address is readable here.
  hash bytea primary key,
  attempts integer not null,
  ends_at timestamptz not null
);
create index attempt_window_by_end on attempt_window (ends_at);
