-- What calls cost the operator without costing their caller anything: failed chats, searches that find nothing, answers that
-- fit nothing. Each account may cause so much of it in a day (UTC).

create function note_uncharged(p_account uuid, p_micros bigint) returns void language sql as $$
  insert into uncharged_day as u (account_id, day, micros) values (p_account, utc_day(now()), p_micros)
    on conflict (account_id, day) do update set micros = u.micros + excluded.micros
$$;

-- What the calls of an account were charged in the hours since this time.
create function charged_since(p_account uuid, p_since timestamptz) returns bigint language sql stable as $$
  select (
    select coalesce(sum(charged - refunded), 0) from usage_of_account_by_hour
    where account_id = p_account and since >= p_since and action <> 'topups'
  )::bigint + (
    select coalesce(sum(charged - refunded), 0) from usage_event
    where account_id = p_account and quarter >= p_since and action <> 'topups'
  )::bigint
$$;

-- Whether an account has caused as much as it may today: the cap, and a tenth of what it was charged today, because an account
-- that pays for many calls also has more that fail.
create function uncharged_is_spent(p_account uuid) returns boolean language plpgsql stable as $$
declare
  caused bigint;
  cap bigint;
  today date := utc_day(now());
begin
  select micros into caused from uncharged_day where account_id = p_account and day = today;
  if not found then return false; end if;
  select micros_max into cap from uncharged_cap where only_row;
  -- Only an account beyond the cap has its charges added up.
  return caused >= cap and caused >= cap + charged_since(p_account, today::timestamp at time zone 'utc') / 10;
end $$;

create function count_uncharged() returns trigger language plpgsql as $$
begin
  perform note_uncharged(new.account_id, new.cost);
  return null;
end $$;
create trigger count_uncharged after update of state on call
  for each row when (old.state = 'held' and new.state <> 'held' and new.charged = 0 and new.cost > 0)
  execute function count_uncharged();
-- A chat without an idempotency key has its row only once it has ended.
create trigger count_uncharged_ended after insert on call
  for each row when (new.state <> 'held' and new.charged = 0 and new.cost > 0) execute function count_uncharged();

-- Removes counts of days before this time. Returns their number.
create function forget_uncharged(p_before timestamptz, p_limit integer) returns integer language plpgsql as $$
declare
  v_removed integer;
begin
  delete from uncharged_day where ctid = any (array(
    select ctid from uncharged_day where day < utc_day(p_before) limit p_limit for update skip locked
  ));
  get diagnostics v_removed = row_count;
  return v_removed;
end $$;
