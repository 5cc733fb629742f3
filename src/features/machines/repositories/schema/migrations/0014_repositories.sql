-- Git repositories that this machine keeps. The owner is an account or a wallet; rows of a limited key are that key's alone.
-- Without a key the key's id is null. The folder of a repository has its id as its name.
create table repository (
  id uuid primary key,
  account_id uuid not null,
  key_id uuid,
  name text,
  -- What the folder held when it was last measured.
  bytes bigint not null default 0 check (bytes >= 0),
  created_at timestamptz not null,
  pushed_at timestamptz,
  -- A push has begun, and what it left behind has not been measured.
  is_unmeasured boolean not null default false
);
create index repository_by_account on repository (account_id, id desc);
create index repository_unmeasured on repository (id) where is_unmeasured;
