-- Files of accounts and wallets. The bytes are in the blob store, under the id of the file.
create table stored_file (
  id uuid primary key,
  account_id uuid not null,
  -- A limited key sees only its own files. Null: a wallet's.
  key_id uuid,
  -- Pending: the quota is reserved and the bytes have not arrived. Removed: the quota is free again and the bytes go next.
  state text not null check (state in ('pending', 'stored', 'removed')),
  source text not null check (source in ('upload', 'url', 'action')),
  filename text not null,
  -- As declared while the file is pending.
  media_type text not null,
  bytes bigint not null check (bytes >= 0),
  sha256 text,
  tags text[] not null default '{}',
  note text,
  -- The output of a call that an action stored, by the action's name for it.
  call_id uuid,
  output_name text,
  created_at timestamptz not null,
  -- When the quota of a pending file is released.
  lapses_at timestamptz not null
);
create index stored_file_by_owner on stored_file (account_id, id desc) where state <> 'removed';
create index stored_file_open on stored_file (lapses_at) where state = 'pending';
create index stored_file_removed on stored_file (id) where state = 'removed';
create unique index stored_file_output on stored_file (call_id, output_name) where state <> 'removed' and call_id is not null;

-- What an account stores and may store. Its row makes reservations of one account wait for each other.
create table file_quota (
  account_id uuid primary key,
  bytes bigint not null default 0 check (bytes >= 0),
  files integer not null default 0 check (files >= 0),
  -- Set by the operator for this account; null: the setting of the gateway.
  bytes_max bigint check (bytes_max >= 0)
);
