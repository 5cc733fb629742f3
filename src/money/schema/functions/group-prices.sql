-- The prices of all groups that are in force now. Both amounts are null where the price of everyone is.
create view group_price_in_force as
  select distinct on (price_group, action) price_group, action, micros, factor, starts_at, catalog_price
  from group_price where starts_at <= now() order by price_group, action, starts_at desc;

-- As charged_at_catalog, for a call of this account, which may have been charged the price of its group.
create function charged_to_at_catalog(p_account uuid, p_action text, p_charged bigint, p_began timestamptz) returns bigint
language plpgsql stable as $$
declare
  g record;
begin
  select coalesce(p.micros, p.factor) as price, p.catalog_price into g
    from group_price p join account a on a.price_group = p.price_group
    where a.id = p_account and p.action = p_action and p.starts_at <= p_began order by p.starts_at desc limit 1;
  if g.price is not null then return greatest(1, round(p_charged::numeric * g.catalog_price / g.price)); end if;
  return charged_at_catalog(p_action, p_charged, p_began);
end $$;
