-- A voucher is credited to its call once, and its rest returned once.
create unique index concurrently transfer_of_voucher_once on transfer (call_id, kind) where kind in ('voucher_credit', 'voucher_credit_end');
alter table transfer validate constraint transfer_kind_check;
