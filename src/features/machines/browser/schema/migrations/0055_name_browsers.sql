-- The row of a vendor's browser is there before the vendor is asked for it, so it has a name before it has an id.
alter table browser_session
  -- By which the vendor finds it. The id where the browser runs here, and in rows from before this column.
  add column name text;
update browser_session set name = id;
alter table browser_session
  drop constraint browser_session_pkey,
  add primary key (name),
  -- Null until the vendor has answered. No caller knows such a row.
  alter column id drop not null,
  add unique (id);
