-- Limits of a key beside its amounts: which language models it may use, how often it may call, and for how many tokens.
alter table api_key
  -- Names of models and tiers. A trailing * matches any ending. Null: all.
  add column models text[],
  -- Counted by each gateway for itself.
  add column requests_per_minute integer check (requests_per_minute > 0),
  add column tokens_per_minute integer check (tokens_per_minute > 0);
