-- One transaction may carry out several x402 payments: anybody may send them, and facilitators do so by the dozen. Each
-- counts once by its claim key.
alter table payment drop constraint payment_tx_hash_key;
