create table spent (transaction_id uuid primary key, account_id uuid not null, micros bigint not null);
