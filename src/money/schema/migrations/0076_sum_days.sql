-- Monthly statements. What was posted to an account on a day (UTC) is summed once no transaction can post on that day
-- any more, and stays. The sum is the change of the balance: negative for what was taken.
create table posted_day (
  account_id uuid,
  day date,
  kind text,
  -- The action of charges. Empty for everything else.
  action text,
  postings bigint not null,
  amount bigint not null,
  primary key (account_id, day, kind, action)
);

-- All days of the account before this one are in `posted_day`.
create table posted_until (
  account_id uuid primary key,
  day date not null
);
