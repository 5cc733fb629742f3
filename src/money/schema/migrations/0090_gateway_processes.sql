-- The gateways that have started and not stopped. One without a connection may have been killed, or reconnect to a
-- database that was away: it is taken for dead a moment later.
create table gateway_process (
  number integer primary key,
  -- Where it runs, so that others on the same machine can see whether it has ended. Null: not known.
  place text,
  -- Since when others have seen it without a connection.
  missing_since timestamptz
);
