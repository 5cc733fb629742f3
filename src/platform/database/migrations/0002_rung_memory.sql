-- What the page ladder has learnt of a host: how often each rung has read its pages lately. Counts fade, with a half-life
-- of a week. No address and no content is kept.
create table rung_memory (
  host text not null,
  rung text not null,
  reads double precision not null,
  misses double precision not null,
  blocked_at timestamptz,
  updated_at timestamptz not null default now(),
  primary key (host, rung)
);
create index rung_memory_by_time on rung_memory (updated_at desc);

create function faded(p_count double precision, p_since timestamptz) returns double precision language sql stable as $$
  select p_count * power(0.5, extract(epoch from now() - p_since) / (7 * 24 * 3600))
$$;
