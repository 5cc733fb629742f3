-- Actions for accounts with a paid top-up ask for the top-ups of one account at each call.
create index payment_top_up on payment (topup_account_id) where topup_account_id is not null;
