-- Since when the vendor is to end it: it was not paid for, or the plan that opened it is over.
alter table prepaid_resource add column due_at timestamptz;
-- Before this column, what was not paid for was found by its call.
update prepaid_resource p set due_at = c.ended_at from call c where c.id = p.call_id and c.state = 'voided';
