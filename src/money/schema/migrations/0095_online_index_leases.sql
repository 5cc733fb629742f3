-- What the leases of an account have to spare is added up after each of its calls.
create index concurrently lease_by_account on lease (account_id);
