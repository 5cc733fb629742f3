-- Whose film is rendered next. A row is a render that waits, is made, or was made lately; its use decides about later turns of the
-- account. The gateways share it.
create table film_turn (
  -- The render's job.
  render_id uuid primary key,
  account_id uuid not null,
  -- What the film is expected to take, by its seconds and pixels.
  work_seconds double precision not null check (work_seconds >= 0),
  -- Short films have a place of their own.
  is_short boolean not null,
  -- What it has taken so far, tries that failed included.
  used_seconds double precision not null default 0 check (used_seconds >= 0),
  is_rendering boolean not null default false,
  asked_at timestamptz not null default now(),
  -- A waiting render asks again and again, and one that is made is reported. One that is silent waits no longer.
  seen_at timestamptz not null default now(),
  ended_at timestamptz
);
create index film_turn_by_account on film_turn (account_id, seen_at);
create index film_turn_waiting on film_turn (asked_at) where ended_at is null and not is_rendering;
