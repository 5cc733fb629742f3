-- A wallet's idempotency key is looked up within its own account, by call_once.
drop index call_of_wallet_by_key;
comment on column payment.challenge_id is
  'The challenge that it answers, known to its payer alone; null where the payer echoed none.';
