-- What each account has spent on language models on a day (UTC), and what its calls under way may still cost. Together
-- with an amount to be held it never exceeds the cap, since whoever holds has locked the account's balance row.

-- One row. The gateway writes its setting here when it starts.
create table inference_cap (
  micros_max bigint not null check (micros_max >= 0),
  only_row boolean primary key default true check (only_row)
);
insert into inference_cap values (10000000);

create table inference_day (
  account_id uuid not null references account,
  day date not null,
  spent bigint not null default 0 check (spent >= 0),
  held bigint not null default 0 check (held >= 0),
  primary key (account_id, day)
) with (fillfactor = 70);

-- The chat surface and the direct actions of the model vendors.
create function is_inference(p_action text) returns boolean language sql immutable as $$
  select split_part(p_action, '/', 1) in ('llm', 'ns_llm_a', 'ns_llm_b', 'ns_router')
$$;

-- The cap stands before the limits of the key: what it refuses counts nowhere.
alter function spend_from_key(uuid, uuid, text, bigint) rename to spend_within_key;
create function spend_from_key(p_key uuid, p_account uuid, p_action text, p_amount bigint) returns text
language plpgsql as $$
declare
  today date := (now() at time zone 'utc')::date;
  most bigint;
  d record;
  refused text;
begin
  if p_key is null or not is_inference(p_action) then
    return spend_within_key(p_key, p_account, p_action, p_amount);
  end if;
  select micros_max into most from inference_cap where only_row;
  select spent, held into d from inference_day where account_id = p_account and day = today;
  if coalesce(d.spent, 0) + p_amount > most then return 'inference_cap'; end if;
  if coalesce(d.spent + d.held, 0) + p_amount > most then return 'inference_busy'; end if;
  refused := spend_within_key(p_key, p_account, p_action, p_amount);
  if refused is not null then return refused; end if;
  insert into inference_day as i (account_id, day, held) values (p_account, today, p_amount)
    on conflict (account_id, day) do update set held = i.held + p_amount;
  return null;
end $$;

-- Whatever ends a call, its day gets back what it did not cost.
create function inference_call_ended() returns trigger language plpgsql as $$
begin
  update inference_day set held = held - new.held, spent = spent + new.charged
    where account_id = new.account_id and day = (new.created_at at time zone 'utc')::date;
  return null;
end $$;
create trigger inference_call_ended after update of state on call
  for each row when (old.state = 'held' and new.state <> 'held' and new.key_id is not null and is_inference(new.action))
  execute function inference_call_ended();
