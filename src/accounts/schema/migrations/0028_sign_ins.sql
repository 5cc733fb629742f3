-- People use a gateway in a browser. A sign-in is known by the hash of its cookie, a link by the hash of its last part.
create table sign_in (
  hash bytea primary key,
  -- The browser may use the routes of the operator.
  is_operator boolean not null,
  -- The key that the browser acts with: its limits apply, and its end ends the sign-in.
  key_id uuid references api_key,
  expires_at timestamptz not null,
  created_at timestamptz not null default now()
);
create index sign_in_by_key on sign_in (key_id);
create index sign_in_by_expiry on sign_in (expires_at);

-- Signs in once, with the rights of the sign-in that it becomes.
create table sign_in_link (
  hash bytea primary key,
  is_operator boolean not null,
  key_id uuid references api_key,
  expires_at timestamptz not null
);
create index sign_in_link_by_key on sign_in_link (key_id);
