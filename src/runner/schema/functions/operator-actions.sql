-- What the operator has done is added to, and never changed.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'The rows of % are never changed or removed.', tg_table_name;
end $$;
create trigger refuse_change before update or delete on operator_action for each row execute function refuse_change();
create trigger refuse_truncate before truncate on operator_action for each statement execute function refuse_change();
