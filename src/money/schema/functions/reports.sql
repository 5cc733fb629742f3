-- What the hooks of plugins are told of calls. A report is written in the transaction that ends its call, however that
-- is, so no call is forgotten when a gateway is killed.

create function report_call() returns trigger language plpgsql as $$
begin
  insert into call_report (call_id, account_id, key_id, action, state, charged)
    select new.id, new.account_id, new.key_id, new.action, new.state, new.charged
    where exists (select from call_reports_wanted where until > now());
  return null;
end $$;
create trigger report_call after update of state on call
  for each row when (old.state = 'held' and new.state <> 'held') execute function report_call();

-- Calls on leases have their rows only once they have ended, many in one statement.
create function report_ended_calls() returns trigger language plpgsql as $$
begin
  if not exists (select from call_reports_wanted where until > now()) then return null; end if;
  insert into call_report (call_id, account_id, key_id, action, state, charged)
    select id, account_id, key_id, action, state, charged from inserted where state <> 'held' order by id;
  return null;
end $$;
create trigger report_ended_calls after insert on call referencing new table as inserted
  for each statement execute function report_ended_calls();

-- Has the calls that end in the next days written down.
create function want_call_reports(p_days integer) returns void language sql as $$
  insert into call_reports_wanted (until) values (now() + p_days * interval '1 day')
    on conflict (only_row) do update set until = greatest(call_reports_wanted.until, excluded.until)
$$;

-- Takes the next reports. Others take the rest until this transaction ends.
create function take_call_reports(p_limit integer) returns setof call_report language sql as $$
  delete from call_report where id in (select id from call_report order by id limit p_limit for update skip locked)
    returning *
$$;

-- Removes reports that no gateway has taken. Returns their number.
create function forget_call_reports(p_before timestamptz, p_limit integer) returns integer language plpgsql as $$
declare
  v_removed integer;
begin
  delete from call_report where id in (
    select id from call_report where ended_at < p_before order by id limit p_limit for update skip locked
  );
  get diagnostics v_removed = row_count;
  return v_removed;
end $$;
