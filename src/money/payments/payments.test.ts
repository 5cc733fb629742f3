import { describe, expect, test } from 'vitest'
import { uuidv7 } from '#core/id.ts'
import { systemClock } from '#platform/clock.ts'
import type { Database } from '#platform/database/database.ts'
import { openLedger } from '#test/ledger.ts'
import { createPayments } from './payments.ts'

async function open() {
  const { database, ledger } = await openLedger()
  const { gatewayNumber } = ledger
  const payments = createPayments({ database, clock: systemClock, gatewayNumber, dustMicros: 0 })
  return { database, payments }
}

test('a proof counts once, even if the clock of the database is ahead of the gateway’s', async () => {
  const { payments } = await open()
  // It is still valid by the gateway's clock and expired by the database's clock.
  const expiresAtMs = Date.now() - 60_000
  expect(await payments.useProof('proof', expiresAtMs)).toBe(true)
  expect(await payments.useProof('another', expiresAtMs)).toBe(true)
  expect(await payments.useProof('proof', expiresAtMs)).toBe(false)
})

test('proofs are deleted once they are expired by every clock', async () => {
  const { database, payments } = await open()
  await payments.useProof('old', Date.now() - 86_400_000)
  await payments.useProof('new', Date.now() + 60_000)
  expect(await database.query('select id from wallet_proof')).toEqual([{ id: 'new' }])
})

test('the payment of a key is found without reading all payments', async () => {
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
  const dependencies = { database: explaining, clock: systemClock, gatewayNumber: 1, dustMicros: 0 }
  await createPayments(dependencies).findByKey({
    wallet: '0x0',
    idempotencyKey: 'a key of the tests',
    action: 'a/b',
    requestDigest: Buffer.from('digest'),
  })
  expect(plans.join('\n')).not.toMatch(/Seq Scan on payment/)
})

describe('a payment that was accepted', () => {
  const signed = { raw: '0x1', hash: '0xabc', signedAtBlock: 1 }
  const delivery = { charged: 20_000, output: '{}', cost: undefined, timeline: undefined }

  async function accept() {
    const { database, payments } = await open()
    const accountId = await payments.accountOf('0x1')
    const toppedUp = await payments.accountOf('0x2')
    const claim = (action: string) =>
      payments.claim(
        {
          rail: 'x402',
          claimKey: 'x402:1:token:0x1:nonce',
          credential: 'header',
          payer: '0x1',
          wallet: '0x1',
          micros: 20_000,
          expiresAtMs: Date.now() + 60_000,
        },
        {
          callId: uuidv7(Date.now()),
          accountId,
          action,
          requestDigest: Buffer.from('digest'),
          idempotencyKey: undefined,
          lifetimeMs: 60_000,
          atOnceMax: 10,
          jobInput: undefined,
          topUpAccountId: toppedUp,
        },
      )
    const first = await claim('test/echo')
    return { database, payments, claim, first, toppedUp }
  }

  test.each(['claimed', 'owed', 'settling', 'settled'] as const)(
    'pays for no second call while it is %s',
    async (state) => {
      const { payments, claim, first } = await accept()
      expect(first.outcome).toBe('claimed')
      const { paymentId } = first as { paymentId: string }
      if (state !== 'claimed') expect(await payments.owed(paymentId, delivery)).toBe('owed')
      if (state === 'settling' || state === 'settled')
        expect(await payments.settling(paymentId, signed)).toBe(true)
      if (state === 'settled')
        expect(await payments.settled(paymentId, { hash: '0xabc', block: 2 })).toBe('settled')
      expect((await payments.get(paymentId))?.state).toBe(state)
      expect(await claim('test/echo')).toEqual({ ...first, outcome: 'joined' })
      expect(await claim('test/other')).toEqual({ ...first, outcome: 'used' })
    },
  )

  test('is a top-up once it is settled, and no longer when the chain has lost it', async () => {
    const { database, payments, first, toppedUp } = await accept()
    const { paymentId } = first as { paymentId: string }
    const seen: boolean[] = []
    const look = async () => void seen.push(await payments.hasPaidTopUp(toppedUp))
    await look()
    await payments.owed(paymentId, delivery)
    await payments.settling(paymentId, signed)
    await look()
    await payments.settled(paymentId, { hash: '0xabc', block: 2 })
    await look()
    await database.query(`select payment_lost($1, 'It was reorganised away.', false)`, [paymentId])
    await look()
    expect(seen).toEqual([false, false, true, false])
  })
})
