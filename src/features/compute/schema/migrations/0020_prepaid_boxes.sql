-- Boxes at a vendor that calls pay for in advance. The vendor knows a box by its name before it answers, so that the box of a call
-- that was not charged can be ended, also when its gateway was killed.
create table prepaid_box (
  name text primary key,
  call_id uuid not null,
  ends_at timestamptz not null
);
