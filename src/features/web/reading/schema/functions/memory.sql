-- A count as it is now, having faded with a half-life of a week since then.
create function faded(p_count double precision, p_since timestamptz) returns double precision language sql stable as $$
  select p_count * power(0.5, extract(epoch from now() - p_since) / (7 * 24 * 3600))
$$;
