-- What calls make that stays after them: repositories, inboxes, files, minutes of browsers. A row is written in the transaction
-- that makes the thing.
create table effect (
  id bigint generated always as identity primary key,
  call_id uuid not null,
  -- Its room undoes it by undo_<kind>.
  kind text not null,
  -- Names the thing within its kind.
  subject text not null,
  -- Where in its call it was made: empty, or the path of the inner call.
  place text not null,
  -- What is needed to undo it.
  details jsonb
);
create index effect_by_call on effect (call_id);
