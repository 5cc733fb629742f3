-- Which operator has done it, and the name that they had. Null: the holder of ADMIN_TOKEN.
alter table operator_action add column operator_account_id uuid, add column operator_name text;
