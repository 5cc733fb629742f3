-- Credit that expires. A grant is a transfer of the kind 'credit' with a time at which what is unspent of it goes back.
create table credit_grant (
  transfer_id bigint primary key references transfer,
  account_id uuid not null references account,
  amount bigint not null check (amount > 0),
  -- What calls and debits have taken of it.
  spent bigint not null default 0 check (spent >= 0),
  -- What went back when it had expired.
  returned bigint not null default 0 check (returned >= 0),
  expires_at timestamptz not null,
  check (spent + returned <= amount)
);
create index credit_grant_by_account on credit_grant (account_id, expires_at);
create index credit_grant_open on credit_grant (account_id, expires_at) where spent + returned < amount;

-- When the next grant with something left expires. It stays in the past while running calls hold a part of a grant.
alter table balance add column grants_expire_at timestamptz;
create index balance_with_grants on balance (grants_expire_at) where grants_expire_at is not null;

-- A lease that was opened before a grant expired may still spend it.
alter table lease add column created_at timestamptz not null default now();

alter table transfer drop constraint transfer_kind_check;
alter table transfer add constraint transfer_kind_check check (kind in (
  'charge', 'credit', 'debit', 'topup', 'provisional_credit', 'provisional_credit_end', 'payment', 'payment_lost',
  'refund_due', 'refund', 'refund_cancelled', 'refund_reopened', 'deposit', 'deposit_returned', 'deposit_captured',
  'deposit_lost', 'voucher_credit', 'voucher_credit_end', 'credit_expired'
)) not valid;
