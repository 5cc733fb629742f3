-- A response is kept before it is charged, and shown from then on. One in the background is shown while it is made.
alter table kept_response add column is_charged boolean not null default true;
alter table kept_response alter column is_charged drop default;
