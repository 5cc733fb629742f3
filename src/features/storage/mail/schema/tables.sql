-- The tables of this room as its migrations leave them, where their columns are explained.

-- Written by the tests with UPDATE_SNAPSHOTS=1; do not edit.

create table inbox (
  address text,
  account_id uuid not null,
  key_id uuid,
  display_name text,
  messages integer not null default 0,
  bytes bigint not null default 0,
  created_at timestamp with time zone not null,
  PRIMARY KEY (address),
  CHECK ((bytes >= 0)),
  CHECK ((messages >= 0))
);
create index inbox_by_owner ON inbox USING btree (account_id);

create table mail_usage (
  account_id uuid,
  inboxes integer not null default 0,
  bytes bigint not null default 0,
  PRIMARY KEY (account_id),
  CHECK ((bytes >= 0)),
  CHECK ((inboxes >= 0))
);

create table mail_message (
  id uuid,
  inbox text not null,
  direction text not null,
  digest bytea not null,
  message_id text not null,
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
  authentication jsonb,
  bytes bigint not null,
  created_at timestamp with time zone not null,
  reported text,
  PRIMARY KEY (id),
  CHECK ((bytes >= 0)),
  CHECK ((direction = ANY (ARRAY['received'::text, 'sent'::text]))),
  FOREIGN KEY (inbox) REFERENCES inbox(address),
  CHECK ((reported = ANY (ARRAY['returned'::text, 'complaint'::text])))
);
create unique index mail_message_named ON mail_message USING btree (inbox, message_id);
create index mail_message_newest ON mail_message USING btree (inbox, id DESC);
create unique index mail_message_once ON mail_message USING btree (inbox, direction, digest);
create index mail_message_sent ON mail_message USING btree (header_id) WHERE (direction = 'sent'::text);
create index mail_message_threads ON mail_message USING btree (inbox, header_id);

create table mail_day (
  account_id uuid,
  day date,
  strangers integer not null default 0,
  returned integer not null default 0,
  complaints integer not null default 0,
  PRIMARY KEY (account_id, day),
  CHECK ((complaints >= 0)),
  CHECK ((returned >= 0)),
  CHECK ((strangers >= 0))
);

create table mail_correspondent (
  account_id uuid,
  address text,
  wrote_at timestamp with time zone not null default now(),
  PRIMARY KEY (account_id, address)
);
create index mail_correspondent_by_time ON mail_correspondent USING btree (wrote_at);

create table mail_stranger (
  account_id uuid,
  day date,
  address text,
  PRIMARY KEY (account_id, day, address)
);
create index mail_stranger_by_day ON mail_stranger USING btree (day);
