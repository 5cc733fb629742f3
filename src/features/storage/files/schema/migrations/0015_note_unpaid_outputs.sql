-- Outputs that were being stored when their call failed. A sweep removes them. It references no other table, because a
-- reference would wait for the transaction that stores the file.
create table unpaid_output (
  file_id uuid primary key
);
