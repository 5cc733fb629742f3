-- What was learnt of the sources that fill fields of people: how often their value was taken, confirmed and refused, and what asking
-- them has cost. Counts fade with a half-life of 30 days. No person is named.
create table people_source (
  step text not null,
  field text not null,
  fills double precision not null,
  confirmations double precision not null,
  refusals double precision not null,
  spent_cents double precision not null,
  updated_at timestamptz not null default now(),
  primary key (step, field)
);

-- Questions that a source could not answer, as digests, so that it is not asked again for a day.
create table people_miss (
  digest text primary key,
  missed_at timestamptz not null default now()
);
create index people_miss_by_time on people_miss (missed_at);
