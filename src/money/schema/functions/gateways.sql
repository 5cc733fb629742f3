-- The gateway processes that hold their advisory lock, which goes with their connections.
create view connected_gateway as
  select distinct objid::bigint as number from pg_locks
  where locktype = 'advisory' and granted and objsubid = 2
    and database = (select oid from pg_database where datname = current_database())
    and classid::bigint = (hashtext('tollway.gateway')::bigint & 4294967295);

-- Whether a gateway process lives: it is connected, or nothing has shown yet that it is gone. Number 0 is the operator,
-- who always lives, so a call in the operator's name is never abandoned.
create function gateway_lives(p_number integer) returns boolean language sql as $$
  select p_number = 0 or exists (select 1 from gateway_process where number = p_number)
    or exists (select 1 from connected_gateway where number = p_number)
$$;

-- Called by a gateway that has taken its lock on a new connection.
create function note_gateway(p_number integer, p_place text) returns void language sql as $$
  insert into gateway_process (number, place) values (p_number, p_place)
  on conflict (number) do update set missing_since = null where gateway_process.missing_since is not null;
$$;

-- These have ended.
create function forget_gateways(p_numbers integer[]) returns void language sql as $$
  delete from gateway_process where number = any(p_numbers)
$$;

-- Takes gateways for dead that have been without a connection for three seconds: after a restart of the database, all of
-- them reconnect within one or two. Returns those of which it is not known yet.
create function look_for_gateways() returns table (number integer, place text) language plpgsql as $$
#variable_conflict use_column
declare
  connected bigint[] := array(select number from connected_gateway);
begin
  update gateway_process set missing_since = null where missing_since is not null and number = any (connected);
  delete from gateway_process where missing_since <= now() - interval '3 seconds';
  update gateway_process set missing_since = now() where missing_since is null and number <> all (connected);
  return query select p.number, p.place from gateway_process p where p.missing_since is not null;
end $$;

-- Open calls whose gateway is gone or whose deadline has passed: recovery voids them. The gateway that asks lives, also
-- while its connections are broken. Gateways of earlier versions ask nothing else about others, so this looks for them.
create function abandoned_calls(p_limit integer, p_gateway integer default null) returns table (id uuid, account_id uuid)
language sql as $$
  select count(*) from look_for_gateways();
  select c.id, c.account_id from call c left join payment p on p.id = c.payment_id
  where c.state = 'held' and (
    c.expires_at < now()
    -- A job is queued once it is paid for.
    or (not c.job or p.state in ('claimed', 'owed')) and c.gateway_id is distinct from p_gateway
      and not gateway_lives(c.gateway_id)
  )
  -- The outcome of their payment ends these.
  and not (p.id is not null and (p.state = 'settling' or p.state = 'owed' and p.charged is not null))
  limit p_limit
$$;

-- The open calls of a gateway that end with its own settlement. The gateway knows which of them are under way: the
-- others had ended, and the database has forgotten that, because a server took over that lagged behind.
create function open_calls_of(p_gateway integer) returns table (id uuid, account_id uuid) language sql stable as $$
  select id, account_id from call where state = 'held' and gateway_id = p_gateway and not job and payment_id is null
$$;
