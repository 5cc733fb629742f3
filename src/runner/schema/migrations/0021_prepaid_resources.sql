-- What calls pay a vendor for in advance: sandboxes, browsers. A resource has its name before the vendor is asked for it, so that it
-- can be found and ended if its call is not charged, also when its gateway was killed.
create table prepaid_resource (
  name text primary key,
  -- The provider that has it.
  service text not null,
  call_id uuid not null,
  -- When it ends by itself.
  ends_at timestamptz not null,
  -- When the vendor was last asked to end it.
  tried_at timestamptz
);
create index prepaid_resource_by_trial on prepaid_resource (service, tried_at);
