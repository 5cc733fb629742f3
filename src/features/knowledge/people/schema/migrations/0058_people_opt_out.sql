-- People who have opted out by themselves, after a mailed link proved their address. Digests of what they are recognised by, from which it
-- cannot be read who they are. A number tells gateways what is new.
create table people_opt_out (
  number bigint generated always as identity unique,
  digest bytea primary key,
  opted_out_at timestamptz not null default now()
);

-- Mailed links, by the digest of their secret.
create table people_link (
  hash bytea primary key,
  email text not null,
  expires_at timestamptz not null
);

-- What was sold about a person, for that person: by the digest of an e-mail address or a profile.
create table people_disclosure (
  digest bytea not null,
  action text not null,
  -- Why the caller asked, in the caller's words.
  purpose text,
  disclosed_at timestamptz not null default now()
);
create index people_disclosure_by_person on people_disclosure (digest, disclosed_at desc);
create index people_disclosure_by_time on people_disclosure (disclosed_at);
