-- The gateway's own accounts:
--   revenue      charges of calls
--   credit       grants and debits of the operator
--   treasury     money taken from wallets, less money given back; its balance is negative
--   provisional  payments of wallets that were accepted and are not settled yet
--   refunds      owed to wallets
--   losses       payments that the chain took back for good
--   escrow       deposits of wallets in payment channels; its balance is negative
--   deposits     what is left of these deposits, which is owed to the wallets
create function house(p_name text) returns uuid language sql immutable as $$
  select case p_name
    when 'revenue' then '00000000-0000-7000-8000-000000000001'::uuid
    when 'credit' then '00000000-0000-7000-8000-000000000002'::uuid
    when 'treasury' then '00000000-0000-7000-8000-000000000003'::uuid
    when 'provisional' then '00000000-0000-7000-8000-000000000004'::uuid
    when 'refunds' then '00000000-0000-7000-8000-000000000005'::uuid
    when 'losses' then '00000000-0000-7000-8000-000000000006'::uuid
    when 'escrow' then '00000000-0000-7000-8000-000000000007'::uuid
    when 'deposits' then '00000000-0000-7000-8000-000000000008'::uuid
  end
$$;

-- Moves an amount on behalf of a call.
create function post(p_call uuid, p_kind text, p_debit uuid, p_credit uuid, p_amount bigint) returns void
language plpgsql as $$
begin
  insert into transfer (call_id, kind, debit, credit, amount) values (p_call, p_kind, p_debit, p_credit, p_amount);
end $$;

create view posting as
  select id as transfer_id, debit as account_id, -amount as amount, created_at from transfer
  union all
  select id, credit, amount, created_at from transfer;

-- What was posted to accounts that are not the house's. The index transfer_of_account has this expression.
create view account_posting as
  select case when credit < '00000000-0000-7000-8001-000000000000' then debit else credit end as account_id, created_at,
    kind, call_id, case when credit < '00000000-0000-7000-8001-000000000000' then -amount else amount end as amount
  from transfer;

-- The held amounts of each account: of calls and of spend leases.
create view open_hold as
  select account_id, held, (not job)::integer as calls from call where state = 'held' and not on_lease
  union all
  select account_id, held, places from lease;

-- Adds a grant of the operator to a balance. Null when there is no such account.
create function ledger_credit(p_account uuid, p_amount bigint, p_reason text) returns bigint language plpgsql as $$
declare
  after bigint;
begin
  update balance set available = balance.available + p_amount where account_id = p_account returning balance.available into after;
  if not found then return null; end if;
  insert into transfer (debit, credit, amount, kind, reason) values (house('credit'), p_account, p_amount, 'credit', p_reason);
  return after;
end $$;

-- Takes from the available part of a balance, never from the held part. `available` is null when there is no such
-- account; `taken` tells whether there was enough.
create function ledger_debit(p_account uuid, p_amount bigint, p_reason text, out available bigint, out taken boolean)
language plpgsql as $$
begin
  perform 1 from balance where account_id = p_account for update;
  perform expire_credit(p_account);
  select b.available into available from balance b where account_id = p_account;
  taken := available >= p_amount;
  if taken is not true then return; end if;
  update balance b set available = b.available - p_amount where account_id = p_account
    returning b.available into available;
  insert into transfer (debit, credit, amount, kind, reason) values (p_account, house('credit'), p_amount, 'debit', p_reason);
  perform spend_grants(p_account, p_amount, now());
end $$;

-- The smallest UUID of version 7 made at this time or later.
create function uuid_floor(p_time timestamptz) returns uuid language sql immutable as $$
  select (lpad(to_hex(floor(extract(epoch from p_time) * 1000)::bigint), 12, '0') || '00000000000000000000')::uuid
$$;

-- A new UUID of version 7.
create function uuid_v7(p_time timestamptz) returns uuid language sql volatile as $$
  select (left(replace(uuid_floor(p_time)::text, '-', ''), 12) || '7'
    || substr(replace(gen_random_uuid()::text, '-', ''), 14))::uuid
$$;

-- Every credit, debit and top-up appears on the account's statement, and so does credit that expired. Charges appear on
-- it as calls.
create function list_on_statement() returns trigger language plpgsql as $$
begin
  insert into statement_entry (id, account_id, transfer_id)
    values (uuid_v7(clock_timestamp()),
      case when new.kind in ('debit', 'credit_expired') then new.debit else new.credit end, new.id);
  return null;
end $$;
create trigger list_on_statement after insert on transfer
  for each row when (new.kind in ('credit', 'debit', 'topup', 'credit_expired')) execute function list_on_statement();
