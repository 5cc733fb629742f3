-- A key with a limit, a list of actions or an expiry is limited: it manages no keys and reads only its own calls. So is
-- the key of an OAuth client, whose tokens may pay and nothing else.
create function key_is_limited(k api_key) returns boolean language sql immutable as $$
  select num_nonnulls(k.call_micros_max, k.day_micros_max, k.month_micros_max, k.actions, k.expires_at, k.client_id,
    k.models, k.requests_per_minute, k.tokens_per_minute) > 0
$$;

create function key_is_valid(k api_key) returns boolean language sql stable as $$
  select k.revoked_at is null and (k.expires_at is null or k.expires_at > now())
$$;

-- Whether the key may run an action: every action, unless it lists some by name or by `service/*`.
create function key_allows(k api_key, p_action text) returns boolean language sql immutable as $$
  select k.actions is null or p_action = any (k.actions) or split_part(p_action, '/', 1) || '/*' = any (k.actions)
$$;

-- Whether what an account or one of its keys has opened still holds. Wallets have no keys.
create function access_is_good(p_account uuid, p_key uuid) returns boolean language sql stable as $$
  select exists (
    select from account a where a.id = p_account and a.frozen_at is null and (p_key is null or exists (
      select from api_key k where k.id = p_key and k.account_id = a.id and key_is_valid(k))))
$$;

-- Whether a person works as the operator with this key: something that only they have signs in as it, or it was issued
-- to them for this. Keys that the person gives to programs and apps are none of these.
create function key_operates(k api_key) returns boolean language sql stable as $$
  select exists (select from operator_key o where o.key_id = k.id)
    or exists (select from passkey p where p.key_id = k.id)
    or exists (select from sign_in_address s where s.key_id = k.id)
$$;

-- The role in which a person works as the operator with this key. Null: in none.
create function key_role(k api_key) returns text language sql stable as $$
  select o.role from operator o join account a on a.id = o.account_id
  where o.account_id = k.account_id and a.frozen_at is null and key_is_valid(k) and key_operates(k)
$$;
