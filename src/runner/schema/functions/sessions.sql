-- A call that holds money for a session has ended: what it was charged counts as settled. In the same transaction, so
-- that a gateway that dies neither charges a use twice nor forgets it.
create function session_call_ended() returns trigger language plpgsql as $$
begin
  update session set settled = settled + new.charged, call_id = null where call_id = new.id;
  return null;
end $$;
create trigger session_call_ended after update of state on call
  for each row when (new.job and old.state = 'held' and new.state <> 'held') execute function session_call_ended();

-- Takes sessions over from gateways that have stopped, and those that are still to be removed from this machine. What
-- another machine has is left to a gateway there until `p_elsewhere_before`. Suspended sessions need no gateway.
create function take_over_sessions(p_gateway integer, p_machine text, p_elsewhere_before timestamptz, p_limit integer)
returns setof session language sql as $$
  update session set gateway_id = p_gateway where id in (
    select id from session
    where state in ('opening', 'open', 'closing') and gateway_id <> p_gateway and (
      state = 'closing' and machine = p_machine
      or (machine is null or machine = p_machine or last_seen_at < p_elsewhere_before) and not gateway_lives(gateway_id)
    )
    order by id limit p_limit for update skip locked
  ) returning *
$$;
