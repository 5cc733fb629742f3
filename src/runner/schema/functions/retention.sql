-- Clean-up in small steps. Each function takes at most `p_limit` rows from before a time, and returns how many it took;
-- the sweep ends at zero.

-- Drops the outputs and idempotency keys of the next calls. Returns how many calls it looked at: none when it is done,
-- or while another gateway does it. A call that is still open keeps both.
create function forget_outputs(p_before timestamptz, p_limit integer) returns integer
language plpgsql
set enable_seqscan = off
as $$
declare
  v_reached uuid;
  v_calls uuid[];
begin
  select reached into v_reached from retention where what = 'outputs' for update skip locked;
  if not found then return 0; end if;
  v_calls := array(select id from call where id > v_reached and id < uuid_floor(p_before) order by id limit p_limit);
  if cardinality(v_calls) = 0 then return 0; end if;
  update call set output = null, idempotency_key = null, timeline = timeline - 'input'
    where id = any (v_calls) and ended_at is not null
      and (output is not null or idempotency_key is not null or timeline ? 'input');
  update retention set reached = v_calls[cardinality(v_calls)] where what = 'outputs';
  return cardinality(v_calls);
end $$;

-- Removes calls that are free for everyone. They posted nothing, so the books do not miss them.
create function remove_free_calls(p_before timestamptz, p_limit integer) returns integer
language plpgsql
set enable_seqscan = off
as $$
declare
  v_removed integer;
begin
  delete from call where id in (
    select id from call
    where held = 0 and not job and (idempotency_key is not null or state = 'voided') and ended_at is not null
      and not within_free_calls and id < uuid_floor(p_before)
    limit p_limit for update skip locked
  );
  get diagnostics v_removed = row_count;
  return v_removed;
end $$;

-- Keeps the newest free calls of one account.
create function trim_free_calls(p_account uuid, p_keep integer) returns void
language sql
set enable_seqscan = off
as $$
  delete from call where id in (
    select id from call
    where account_id = p_account and held = 0 and not job and (idempotency_key is not null or state = 'voided')
      and not within_free_calls and ended_at is not null
    order by id desc offset p_keep
  )
$$;

-- Removes the ids that vendors issued, except those of things that are kept.
create function forget_handles(p_before timestamptz, p_limit integer) returns integer language plpgsql as $$
declare
  v_removed integer;
begin
  delete from vendor_handle where ctid = any (array(
    select ctid from vendor_handle where created_at < p_before and not is_kept
      order by created_at limit p_limit for update skip locked
  ));
  get diagnostics v_removed = row_count;
  return v_removed;
end $$;

-- Removes the commands that ran in sessions.
create function forget_session_commands(p_before timestamptz, p_limit integer) returns integer language plpgsql as $$
declare
  v_removed integer;
begin
  delete from session_command where ctid = any (array(
    select ctid from session_command where created_at < p_before order by created_at limit p_limit for update skip locked
  ));
  get diagnostics v_removed = row_count;
  return v_removed;
end $$;

-- Removes closed sessions. Their calls stay. A session's id says when it was created.
create function forget_sessions(p_before timestamptz, p_limit integer) returns integer
language plpgsql
set enable_seqscan = off
as $$
declare
  v_removed integer;
begin
  delete from session where id in (
    select id from session
    where id < uuid_floor(p_before) and state = 'closed' and ended_at < p_before
    order by id limit p_limit for update skip locked
  );
  get diagnostics v_removed = row_count;
  return v_removed;
end $$;

-- Removes the answers that were kept beside those of their calls. An answer's id says when it was kept.
create function forget_kept_answers(p_before timestamptz, p_limit integer) returns integer
language plpgsql
set enable_seqscan = off
as $$
declare
  v_removed integer;
begin
  delete from kept_answer where id in (
    select id from kept_answer where id < uuid_floor(p_before) order by id limit p_limit for update skip locked
  );
  get diagnostics v_removed = row_count;
  return v_removed;
end $$;
