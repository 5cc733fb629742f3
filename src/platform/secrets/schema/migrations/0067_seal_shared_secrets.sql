-- Secrets may be sealed with a key that is not in the database, so a copy of the database does not show them.
alter table shared_secret alter column value drop not null;
alter table shared_secret add column sealed bytea;
alter table shared_secret add constraint shared_secret_is_one check ((value is null) <> (sealed is null));
