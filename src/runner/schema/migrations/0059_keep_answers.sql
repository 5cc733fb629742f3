-- Answers of actions that ran inside a paid call, each under a transaction id of its own. They cost nothing beside the
-- price of their call, so the ledger has no row for them. Only the answers of a charged call are read.
create table kept_answer (
  -- It holds the time, by which old answers are found.
  id uuid primary key,
  call_id uuid not null,
  action text not null,
  -- JSON text.
  output text not null
);
