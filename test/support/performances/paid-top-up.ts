// A top-up that a wallet has paid, by the ledger's own functions and without a chain.
import { uuidv7 } from '#core/id.ts'
import { createPayments } from '#money/payments/payments.ts'
import { systemClock as clock } from '#platform/clock.ts'
import type { Database } from '#platform/database/database.ts'

/** For an account that has called an action: the payment is recorded by the gateway that ran it. */
export async function payTopUp(database: Database, accountId: string, micros = 10_000) {
  const [call] = await database.query<{ gateway: number }>(
    'select max(gateway_id) as gateway from call',
  )
  const gatewayNumber = call?.gateway ?? 0
  const payments = createPayments({ database, clock, gatewayNumber, dustMicros: 0 })
  const wallet = `0x${uuidv7(clock.now())}`
  const expiresAtMs = clock.now() + 60_000
  const claimed = await payments.claim(
    { rail: 'mpp', claimKey: wallet, credential: 'x', payer: wallet, wallet, micros, expiresAtMs },
    {
      callId: uuidv7(clock.now()),
      accountId: await payments.accountOf(wallet),
      action: 'topups',
      requestDigest: Buffer.from(wallet),
      lifetimeMs: 60_000,
      atOnceMax: 10,
      topUpAccountId: accountId,
    },
  )
  if (claimed.outcome !== 'claimed') throw new Error(`The payment was ${claimed.outcome}.`)
  const { paymentId } = claimed
  const delivery = { charged: micros, output: '{}', cost: undefined, timeline: undefined }
  await payments.owed(paymentId, delivery)
  await payments.settling(paymentId, { raw: '0x1', hash: wallet, signedAtBlock: 1 })
  await payments.settled(paymentId, { hash: wallet, block: 2 })
}
