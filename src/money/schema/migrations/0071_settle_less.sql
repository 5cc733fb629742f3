-- A rail may settle less than a payment allows, when its call has cost less.
alter table payment add column settles_actual boolean not null default false;
alter table payment add column settles bigint check (settles > 0);
