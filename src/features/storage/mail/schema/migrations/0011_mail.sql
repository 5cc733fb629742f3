-- Inboxes on the operator's domains. Attachments are files of the inbox's owner.
create table inbox (
  -- In lower case.
  address text primary key,
  account_id uuid not null,
  -- A limited key sees only its own inboxes. Null: a wallet's.
  key_id uuid,
  display_name text,
  messages integer not null default 0 check (messages >= 0),
  bytes bigint not null default 0 check (bytes >= 0),
  created_at timestamptz not null
);
create index inbox_by_owner on inbox (account_id);

-- What the inboxes of an account hold. Its row makes deliveries to one account wait for each other.
create table mail_usage (
  account_id uuid primary key,
  inboxes integer not null default 0 check (inboxes >= 0),
  bytes bigint not null default 0 check (bytes >= 0)
);

create table mail_message (
  -- Sorts by time of arrival.
  id uuid primary key,
  inbox text not null references inbox (address),
  direction text not null check (direction in ('received', 'sent')),
  -- Of the mail as it came. A sender that has missed the acknowledgement sends the same mail again.
  digest bytea not null,
  -- Names the message to callers: its own Message-ID, or one of the gateway where that is missing or taken.
  message_id text not null,
  -- The Message-ID that replies refer to.
  header_id text not null,
  thread_id uuid not null,
  labels text[] not null,
  sender text not null,
  recipients jsonb not null,
  subject text not null,
  preview text not null,
  text_body text,
  html_body text,
  attachments jsonb not null,
  in_reply_to text,
  reference_ids text[] not null,
  -- The verdicts of SPF, DKIM and DMARC. Null: the mail did not come over SMTP.
  authentication jsonb,
  bytes bigint not null check (bytes >= 0),
  created_at timestamptz not null
);
create unique index mail_message_once on mail_message (inbox, direction, digest);
create unique index mail_message_named on mail_message (inbox, message_id);
create index mail_message_newest on mail_message (inbox, id desc);
create index mail_message_threads on mail_message (inbox, header_id);
