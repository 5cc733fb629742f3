-- To which strangers an account has written on a day: each counts once, however many mails it gets on that day.
create table mail_stranger (
  account_id uuid not null,
  day date not null,
  -- In lower case, without the name.
  address text not null,
  primary key (account_id, day, address)
);
create index mail_stranger_by_day on mail_stranger (day);
