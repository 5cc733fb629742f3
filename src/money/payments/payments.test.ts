import { expect, test } from 'vitest'
import { systemClock } from '#platform/clock.ts'
import type { Database } from '#platform/database/database.ts'
import { openLedger } from '../../../test/ledger.ts'
import { createPayments } from './payments.ts'

async function open() {
  const { database, ledger } = await openLedger()
  const { gatewayNumber } = ledger
  const payments = createPayments({ database, clock: systemClock, gatewayNumber, dustMicros: 0 })
  return { database, payments }
}

test('a proof counts once, although the clock of the database is ahead of the gateway’s', async () => {
  const { payments } = await open()
  // It is good for a while yet by the gateway's clock, and over by that of the database.
  const expiresAtMs = Date.now() - 60_000
  expect(await payments.useProof('proof', expiresAtMs)).toBe(true)
  expect(await payments.useProof('another', expiresAtMs)).toBe(true)
  expect(await payments.useProof('proof', expiresAtMs)).toBe(false)
})

test('proofs are forgotten once no clock can take them for good', async () => {
  const { database, payments } = await open()
  await payments.useProof('old', Date.now() - 86_400_000)
  await payments.useProof('new', Date.now() + 60_000)
  expect(await database.query('select id from wallet_proof')).toEqual([{ id: 'new' }])
})

test('the payment of a key is found without reading all payments there ever were', async () => {
  const { database } = await open()
  await database.query(
    `insert into payment (id, claim_key, rail, account_id, payer, micros, action, request_digest, call_id, expires_at, dust_micros)
     select gen_random_uuid(), 'x402:' || n, 'x402', '00000000-0000-7000-8000-000000000001', '0x0', 1, 'a/b', ''::bytea,
       gen_random_uuid(), now(), 0
     from generate_series(1, 20000) n`,
  )
  await database.query('analyze')
  const plans: string[] = []
  const explaining: Database = {
    ...database,
    async query(text, values) {
      const rows = await database.query<{ 'QUERY PLAN': string }>(`explain ${text}`, values)
      plans.push(...rows.map((row) => row['QUERY PLAN']))
      return []
    },
  }
  const room = { database: explaining, clock: systemClock, gatewayNumber: 1, dustMicros: 0 }
  await createPayments(room).findByKey({
    wallet: '0x0',
    idempotencyKey: 'a key of the tests',
    action: 'a/b',
    requestDigest: Buffer.from('digest'),
  })
  expect(plans.join('\n')).not.toMatch(/Seq Scan on payment/)
})
