-- Whether the room of a pending file is free again. The room of an output is kept for as long as its call runs.
create function file_lapsed(f stored_file, p_now timestamptz) returns boolean language sql stable as $$
  select f.state = 'pending' and f.lapses_at <= p_now
    and not exists (select 1 from call c where c.id = f.call_id and c.state = 'held')
$$;

-- Takes the bytes of a new file out of its account's quota. False when they do not fit: then nothing changes.
create function file_take_quota(p_account uuid, p_bytes bigint, p_bytes_max bigint, p_files_max integer, p_now timestamptz)
returns boolean language plpgsql as $$
begin
  insert into file_quota (account_id) values (p_account) on conflict do nothing;
  -- Locks the account's row before anything is counted.
  perform 1 from file_quota where account_id = p_account for update;
  perform file_remove(id) from stored_file f
    where account_id = p_account and state = 'pending' and lapses_at <= p_now and file_lapsed(f, p_now);
  update file_quota set bytes = bytes + p_bytes, files = files + 1
    where account_id = p_account and bytes + p_bytes <= coalesce(bytes_max, p_bytes_max) and files < p_files_max;
  return found;
end $$;

-- Removes a file and frees its quota. False when it is removed already. Its bytes are removed afterwards.
create function file_remove(p_id uuid) returns boolean language plpgsql as $$
declare
  v_account uuid;
  v_bytes bigint;
begin
  -- The account first, as reservations do: two removals and a reservation cannot wait for each other in a circle.
  select account_id into v_account from stored_file where id = p_id;
  perform 1 from file_quota where account_id = v_account for update;
  update stored_file set state = 'removed' where id = p_id and state <> 'removed' returning bytes into v_bytes;
  if not found then return false; end if;
  update file_quota set bytes = bytes - v_bytes, files = files - 1 where account_id = v_account;
  return true;
end $$;

-- A pending file takes another number of bytes. False when more do not fit, or when it is not pending any more.
create function file_resize(p_id uuid, p_bytes bigint, p_bytes_max bigint) returns boolean language plpgsql as $$
declare
  v_account uuid;
  v_more bigint;
begin
  select account_id into v_account from stored_file where id = p_id;
  perform 1 from file_quota where account_id = v_account for update;
  select p_bytes - bytes into v_more from stored_file where id = p_id and state = 'pending' for update;
  if not found then return false; end if;
  update file_quota set bytes = bytes + v_more
    where account_id = v_account and (v_more <= 0 or bytes + v_more <= coalesce(bytes_max, p_bytes_max));
  if not found then return false; end if;
  update stored_file set bytes = p_bytes where id = p_id;
  return true;
end $$;

-- A file goes with its call, because it was not paid for. One that is being stored is locked, and no other call may
-- wait for it: it is noted down, and removed by the next sweep.
create function undo_file(e effect) returns void language plpgsql as $$
declare
  v_id uuid := e.subject::uuid;
begin
  perform 1 from file_quota where account_id = (select account_id from stored_file where id = v_id) for update;
  perform file_remove(f.id) from (
    select id from stored_file where id = v_id and state <> 'removed' for update skip locked) f;
  insert into unpaid_output select id from stored_file where id = v_id and state <> 'removed';
end $$;
