-- Payment channels: a wallet deposits once in the escrow of a chain, and pays each call by a voucher.
insert into account (id, kind, name) values
  ('00000000-0000-7000-8000-000000000007', 'house', 'escrow'),
  ('00000000-0000-7000-8000-000000000008', 'house', 'deposits')
  on conflict do nothing;

create table channel (
  -- As on its chain, in lower case.
  id text primary key,
  rail text not null,
  account_id uuid not null references account,
  payer text not null,
  -- What its id is the hash of. The chain asks for it in every call.
  descriptor jsonb not null,
  state text not null default 'opening' check (state in ('opening', 'open', 'closing', 'closed', 'failed')),
  deposit bigint not null check (deposit > 0),
  -- The highest voucher, and its signature.
  accepted bigint not null default 0,
  signature text,
  spent bigint not null default 0 check (spent >= 0),
  held bigint not null default 0 check (held >= 0),
  -- No new call is taken: it closes when its calls have ended.
  closes boolean not null default false,
  -- What the chain took for the gateway when it closed.
  captured bigint check (captured >= 0),
  -- What opens it, then what closes it: stored before it is sent.
  raw_tx text,
  tx_hash text,
  valid_until timestamptz,
  settled_block bigint,
  error text,
  created_at timestamptz not null default now(),
  used_at timestamptz not null default now(),
  closed_at timestamptz,
  next_check_at timestamptz not null default now(),
  check (accepted <= deposit),
  check (spent + held <= accepted)
);
create index channel_not_closed on channel (next_check_at) where state in ('opening', 'open', 'closing');
create index channel_by_account on channel (account_id);

-- Present: the payment is a voucher of this channel.
alter table payment add column channel_id text;

alter table transfer drop constraint transfer_kind_check;
alter table transfer add constraint transfer_kind_check check (kind in (
  'charge', 'credit', 'debit', 'topup', 'provisional_credit', 'provisional_credit_end', 'payment', 'payment_lost',
  'refund_due', 'refund', 'refund_cancelled', 'refund_reopened', 'deposit', 'deposit_returned', 'deposit_captured',
  'deposit_lost', 'voucher_credit', 'voucher_credit_end'
)) not valid;
