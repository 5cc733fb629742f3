-- A try of the job is under way at `gateway_id`. No other try begins while that gateway lives.
alter table call add column at_work boolean not null default false;
