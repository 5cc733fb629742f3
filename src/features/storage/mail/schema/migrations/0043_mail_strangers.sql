-- How much mail an account sends to strangers: people who have not written to one of its inboxes. The gateways share the counts.
create table mail_day (
  account_id uuid not null,
  day date not null,
  -- Recipients at other servers who were strangers.
  strangers integer not null default 0 check (strangers >= 0),
  -- Recipients that the relay refused, and mails that came back.
  returned integer not null default 0 check (returned >= 0),
  -- Mails that their recipients have reported as unwanted.
  complaints integer not null default 0 check (complaints >= 0),
  primary key (account_id, day)
);

-- Who has written to an account first.
create table mail_correspondent (
  account_id uuid not null,
  -- In lower case, without the name.
  address text not null,
  wrote_at timestamptz not null default now(),
  primary key (account_id, address)
);
create index mail_correspondent_by_time on mail_correspondent (wrote_at);
insert into mail_correspondent (account_id, address, wrote_at)
  select account_id, lower(coalesce(substring(sender from '<([^<>]+)>$'), sender)), max(m.created_at)
  from mail_message m join inbox on inbox.address = m.inbox
  where direction = 'received' and not labels && array['unauthenticated', 'bounce', 'automatic']
  group by 1, 2;

-- How a sent mail was reported: as returned, or as unwanted. Once each.
alter table mail_message add column reported text check (reported in ('returned', 'complaint'));
create index mail_message_sent on mail_message (header_id) where direction = 'sent';
