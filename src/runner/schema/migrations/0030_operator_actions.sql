-- What the operator has done, for good: nothing in the gateway changes or removes these rows.
create table operator_action (
  id uuid primary key,
  -- `account.credit`, `purchase.resolve`.
  action text not null,
  -- What it was done to: the id of an account, a key, a call. Null for what concerns the whole gateway.
  subject text,
  -- The body of the request.
  details jsonb not null,
  -- How the operator was known: `token`, or `sign-in` with a browser.
  actor text not null check (actor in ('token', 'sign-in')),
  address text not null,
  request_id text not null,
  created_at timestamptz not null default now()
);
create index operator_action_by_subject on operator_action (subject, id desc) where subject is not null;
