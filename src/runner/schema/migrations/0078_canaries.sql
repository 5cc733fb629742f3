-- Checks of providers: what the cheapest harmless call of each was answered.
create table canary_check (
  id uuid primary key,
  provider text not null,
  action text not null,
  asked_by text not null check (asked_by in ('operator', 'schedule')),
  gateway_id integer not null,
  started_at timestamptz not null default now(),
  -- Null while it runs.
  ended_at timestamptz,
  state text check (state in ('well', 'drifted', 'failed', 'unclear')),
  check ((ended_at is null) = (state is null)),
  says text,
  fix text,
  -- What differs from the expected reply, and the form of this one.
  drift json,
  form json,
  -- The requests and replies, without secrets. Only the latest of a provider are kept.
  exchanges json,
  -- What it cost at the vendor, in micro-dollars. Null: the vendor does not say.
  cost bigint check (cost >= 0),
  took_ms integer,
  -- When the operator said that this reply is right.
  accepted_at timestamptz
);
-- No provider is checked twice at the same time.
create unique index canary_check_running on canary_check (provider) where ended_at is null;
create index canary_check_by_provider on canary_check (provider, id desc);

-- The form of the reply that is expected of an action, where it is not that of its fixture.
create table canary_form (
  action text primary key,
  form json not null,
  set_at timestamptz not null default now()
);
