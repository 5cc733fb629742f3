// Bugs of the ledger, the spend leases and the payments of wallets.
import type { Mutant } from './mutant.ts'

const functions = 'src/money/schema/functions'
const holds = `${functions}/holds.sql`
const settlements = `${functions}/settlements.sql`
const leases = `${functions}/leases.sql`
const payments = `${functions}/payments.sql`
const ledgerTests = [
  'src/money/ledger/ledger.test.ts',
  'test/scenarios/calls/200-paid-calls.test.ts',
]
const payingTests = ['test/payments/paying.test.ts', 'test/payments/refused-payments.test.ts']
const freeCalls = `${functions}/free-calls.sql`
const freeCallTests = ['src/money/ledger/free-calls.test.ts']
const verifyTests = ['src/money/rails/x402/verify.test.ts']

export const moneyMutants: readonly Mutant[] = [
  // The ledger.
  {
    name: 'a hold that was sent and given up is not voided',
    file: 'src/money/ledger/commit-lane.ts',
    find: 'if (sent) terms.voidHold(operation)',
    replace: '',
    tests: ['src/money/ledger/group-commit.test.ts'],
  },
  {
    name: 'a locked account holds up the calls of all others',
    file: 'src/money/ledger/commit-lane.ts',
    find: 'busyLane === undefined,',
    replace: 'true,',
    tests: ['src/money/ledger/group-commit.test.ts'],
  },
  {
    name: 'settlements in a batch lost with its connection are dropped',
    file: 'src/money/ledger/commit-queue.ts',
    find: 'settlements.push(...batch.settlements)',
    replace: '',
    tests: ['src/money/ledger/commit-queue.test.ts', 'src/money/ledger/group-commit.test.ts'],
  },
  {
    name: 'a settlement whose caller stopped waiting is dropped',
    file: 'src/money/ledger/commit-queue.ts',
    find: 'holds = holds.filter((hold) => !isLate(hold))',
    replace: `holds = holds.filter((hold) => !isLate(hold)); settlements.splice(0, settlements.length, ...settlements.filter((each) => !isLate(each)))`,
    tests: ['src/money/ledger/commit-queue.test.ts', 'src/money/ledger/group-commit.test.ts'],
  },
  {
    name: 'a replayed call posts a charge without debiting the balance',
    file: leases,
    find: 'update balance set available = available - (c.charged - from_lease), held = held - from_lease where account_id = c.account;',
    replace: '',
    tests: ['src/money/leases/leases.slow.test.ts'],
  },
  {
    name: 'a replayed call of an open lease is charged beside the lease',
    file: leases,
    find: 'update lease set held = held - from_lease where id = l.id;',
    replace: '',
    tests: ['src/money/leases/leases.slow.test.ts'],
  },
  {
    name: 'a call that was voided meanwhile is charged by its lease',
    file: leases,
    find: `where c.claimed and o.id = c.id and o.state = 'held' and o.on_lease`,
    replace: 'where c.claimed and o.id = c.id and o.on_lease',
    tests: ['src/money/leases/idempotency-keys.nightly.test.ts'],
  },
  {
    name: 'a voided claim gives back what its lease holds',
    file: settlements,
    find: 'case when on_lease then 0 else held end as held',
    replace: 'held',
    tests: ['src/money/leases/idempotency-keys.nightly.test.ts'],
  },
  {
    name: 'an answer to an idempotency key is given before the books have it',
    file: 'src/money/leases/ended-calls.ts',
    find: 'if (!waits(call.hold)) {',
    replace: 'if (call !== undefined) {',
    tests: ['src/money/leases/idempotency-keys.nightly.test.ts'],
  },
  {
    name: 'a call refused for its idempotency key stays reserved',
    file: 'src/money/leases/leases.ts',
    find: `if (outcome?.outcome !== 'held') leases.release(hold.callId)`,
    replace: '',
    tests: ['src/money/leases/idempotency-keys.nightly.test.ts'],
  },
  {
    name: 'a lease reserves more than it has',
    file: 'src/money/leases/lease.ts',
    find: 'if (lease.spare < micros || lease.places === 0',
    replace: 'if (lease.places === 0',
    tests: ['src/money/leases/lease.test.ts'],
  },
  {
    name: 'a lease reserves again what is on its way back',
    file: 'src/money/leases/lease.ts',
    find: 'spare: lease.spare - ask.give,',
    replace: 'spare: lease.spare,',
    tests: ['src/money/leases/lease.test.ts'],
  },
  {
    name: 'a lease closes while calls of it run',
    file: 'src/money/leases/lease.ts',
    find: 'const last = isClosing && lease.open === 0 && ended === 0',
    replace: 'const last = isClosing && ended === 0',
    tests: ['src/money/leases/lease.test.ts'],
  },
  {
    name: 'more is charged than was held',
    file: settlements,
    find: `if c.state <> 'held' or s.charged > c.held then`,
    replace: `if c.state <> 'held' then`,
    tests: ledgerTests,
  },
  {
    name: 'a call is settled twice',
    file: settlements,
    find: `if c.state <> 'held' or s.charged > c.held then`,
    replace: 'if s.charged > c.held then',
    tests: ledgerTests,
  },
  {
    name: 'what a call did not cost stays counted against the limits of its key',
    file: settlements,
    find: 'if c.held > s.charged then',
    replace: 'if false then',
    tests: ['test/scenarios/accounts/accounts-and-keys.test.ts'],
  },
  {
    name: 'an idempotency key answers for another body',
    file: holds,
    find: 'c.action <> p_action or c.request_digest <> p_digest',
    replace: 'c.action <> p_action',
    tests: ['test/scenarios/calls/idempotency.test.ts'],
  },
  {
    name: 'a failed call keeps its idempotency key',
    file: settlements,
    find: `idempotency_key = case s.state when 'settled' then idempotency_key end`,
    replace: 'idempotency_key = idempotency_key',
    tests: ['test/scenarios/calls/idempotency.test.ts'],
  },
  {
    name: 'a hold past its deadline is kept',
    file: `${functions}/gateways.sql`,
    find: 'c.expires_at < now()\n    -- A job',
    replace: 'false\n    -- A job',
    tests: ledgerTests,
  },

  // Payments.
  {
    name: 'a payment to another recipient is accepted',
    file: 'src/money/rails/x402/verify.ts',
    find: 'if (to !== lowerCase(requirements.payTo)) {',
    replace: 'if (to === undefined) {',
    tests: verifyTests,
  },
  {
    name: 'a payment of too little is accepted',
    file: 'src/money/rails/x402/verify.ts',
    find: 'if (value !== BigInt(requirements.amount)) {',
    replace: 'if (value > BigInt(requirements.amount)) {',
    tests: verifyTests,
  },
  {
    name: 'a payment that ends while the work runs is accepted',
    file: 'src/money/rails/x402/verify.ts',
    find: 'const earliest = nowS + settlementMarginS + runtimeS',
    replace: 'const earliest = nowS',
    tests: verifyTests,
  },
  {
    name: 'a payment signed by another key is accepted',
    file: 'src/money/rails/x402/verify.ts',
    find: 'recoverAddress(byKey, digest) === from',
    replace: 'recoverAddress(byKey, digest) !== undefined',
    tests: verifyTests,
  },
  {
    name: 'one payment pays two calls',
    file: payments,
    find: `if found and p.state <> 'released' then`,
    replace: `if found and p.state = 'claimed' then`,
    tests: ['src/money/payments/payments.test.ts'],
  },
  {
    name: 'a payment that was accepted answers another request',
    file: 'src/runner/keyless/replay.ts',
    find: ' && known.requestDigest.equals(call.digest)',
    replace: '',
    tests: payingTests,
  },
  {
    name: 'a payment that was read from the chain gets the answer',
    file: 'src/runner/keyless/replay.ts',
    find: 'if (!(await isItsPayer(known, presented, call))) {',
    replace: 'if ((await isItsPayer(known, presented, call)) === undefined) {',
    tests: ['test/payments/replays.test.ts'],
  },
  {
    name: 'the idempotency key of one wallet answers another',
    file: 'src/money/payments/payments.ts',
    find: 'where account_id = (select id from account where wallet = $1)',
    replace: 'where $1::text is not null',
    tests: ['test/payments/replays.test.ts'],
  },
  {
    name: 'a sign-in proof counts twice',
    file: 'src/money/payments/payments.ts',
    find: 'async useProof(id, expiresAtMs) {',
    replace: 'async useProof(id, expiresAtMs) { id += Math.random()',
    tests: [...payingTests, 'test/payments/owners-and-operators.nightly.test.ts'],
  },
  {
    name: 'a late verdict on an expired refund discards the one that replaced it',
    file: 'src/money/payments/refund-records.ts',
    find: ` and state = 'signed' and tx_hash = $2`,
    replace: ` and state = 'signed' and $2 is not null`,
    tests: ['src/money/payments/late-verdicts.test.ts'],
  },
  {
    name: 'an expired refund is signed again while a reorganisation could mine it',
    file: 'src/money/rails/mpp/refund.ts',
    find: 'await chain.finalHead()',
    replace: 'await chain.head()',
    tests: ['src/money/rails/mpp/refund.test.ts'],
  },
  {
    name: 'the rest of a settled payment is kept',
    file: `${functions}/refunds.sql`,
    find: `if p.state <> 'settled' or c.state = 'held' or left_over = 0 then return; end if;`,
    replace: 'return;',
    tests: ['test/payments/refunds.slow.test.ts'],
  },
  {
    name: 'a payment whose node is away counts as dead',
    file: 'src/money/payments/settlement.ts',
    find: `    log.warn({ err: error, paymentId }, 'A payment is not settled yet; it is continued later.')
    return 'pending'`,
    replace: `    log.warn({ err: error, paymentId }, 'A payment is not settled yet; it is continued later.')
    return 'dead'`,
    tests: ['src/money/payments/settlement.test.ts', 'test/payments/node-away.nightly.test.ts'],
  },
  {
    name: 'a status link works for any job',
    file: 'src/platform/url-signer.ts',
    find: `.update(JSON.stringify([purpose, subject, exp]))`,
    replace: `.update(JSON.stringify([purpose, exp]))`,
    tests: ['test/payments/owners-and-operators.nightly.test.ts'],
  },

  // The free calls of a day.
  {
    name: 'the free calls of a day have no end',
    file: freeCalls,
    find: ' where d.calls < p_per_day',
    replace: '',
    tests: freeCallTests,
  },
  {
    name: 'a failed call uses up a free one',
    file: freeCalls,
    find: `(old.state = 'held' and new.state = 'voided' and new.within_free_calls)`,
    replace: `(old.state = 'held' and new.state = 'lost')`,
    tests: freeCallTests,
  },
  {
    name: 'a free call is given back to the day on which it fails',
    file: freeCalls,
    find: 'day = utc_day(new.created_at)',
    replace: 'day = utc_day(now())',
    tests: freeCallTests,
  },
  {
    name: 'a call that its key may not make uses up a free one',
    file: holds,
    find: 'if outcome is null and h.free_per_day is not null and',
    replace: 'if h.free_per_day is not null and',
    tests: freeCallTests,
  },
]
