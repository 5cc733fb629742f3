-- What changes a balance besides calls, in the order in which the account's statement lists it. The amounts stand in
-- `transfer`; the id sorts among those of calls.
create table statement_entry (
  id uuid primary key,
  account_id uuid not null,
  transfer_id bigint not null references transfer
);
create index statement_entry_by_account on statement_entry (account_id, id desc);

-- What kinds of transfers there are besides is not this file's to say.
do $$
declare
  kinds text;
begin
  select pg_get_constraintdef(oid) into kinds from pg_constraint where conname = 'transfer_kind_check';
  execute 'alter table transfer drop constraint transfer_kind_check, add constraint transfer_kind_check '
    || replace(kinds, 'ARRAY[', 'ARRAY[''debit''::text, ');
end $$;

-- A UUID of version 7.
create function uuid_v7(p_time timestamptz) returns uuid language sql volatile as $$
  select (left(replace(uuid_floor(p_time)::text, '-', ''), 12) || '7'
    || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid
$$;

-- Whatever posts a credit, a debit or a top-up, the statement lists it. Charges are on it as calls.
create function list_on_statement() returns trigger language plpgsql as $$
begin
  insert into statement_entry (id, account_id, transfer_id)
    values (uuid_v7(clock_timestamp()), case new.kind when 'debit' then new.debit else new.credit end, new.id);
  return null;
end $$;
create trigger list_on_statement after insert on transfer
  for each row when (new.kind in ('credit', 'debit', 'topup')) execute function list_on_statement();

insert into statement_entry (id, account_id, transfer_id)
  select uuid_v7(created_at), case kind when 'debit' then debit else credit end, id from transfer
  where kind in ('credit', 'debit', 'topup');

-- Takes from a balance, never from what is held. Null when there is no such account; `taken` says whether it was enough.
create function ledger_debit(p_account uuid, p_amount bigint, p_reason text, out available bigint, out taken boolean)
language plpgsql as $$
begin
  select b.available into available from balance b where account_id = p_account for update;
  taken := available >= p_amount;
  if taken is not true then return; end if;
  update balance b set available = b.available - p_amount where account_id = p_account
    returning b.available into available;
  insert into transfer (debit, credit, amount, kind, reason)
    values (p_account, '00000000-0000-7000-8000-000000000002', p_amount, 'debit', p_reason);
end $$;

-- A request that moves money or issues a secret outside of calls, by its sender and Idempotency-Key. The answer is
-- encrypted with a key derived from what only the sender has, so that secrets in it are not stored in clear.
create table request_once (
  id bytea primary key,
  request_digest bytea not null,
  answer bytea not null,
  expires_at timestamptz not null
);
create index request_once_expiry on request_once (expires_at);
