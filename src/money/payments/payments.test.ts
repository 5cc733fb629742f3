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

describe('a payment of which its rail can settle less', () => {
  const signed = { raw: '0x1', hash: '0xabc', signedAtBlock: 1 }
  const delivery = { charged: 300, output: '{}', cost: undefined, timeline: undefined }

  async function accept() {
    const { database, payments } = await open()
    const accountId = await payments.accountOf('0x1')
    const claimed = await payments.claim(
      {
        rail: 'x402',
        claimKey: 'x402:1:permit:0x1:nonce',
        credential: 'header',
        payer: '0x1',
        wallet: '0x1',
        micros: 20_000,
        settlesActual: true,
        expiresAtMs: Date.now() + 60_000,
      },
      {
        callId: uuidv7(Date.now()),
        accountId,
        action: 'llm/chat',
        requestDigest: Buffer.from('digest'),
        lifetimeMs: 60_000,
        atOnceMax: 10,
      },
    )
    const { paymentId } = claimed as { paymentId: string }
    const books = async () => {
      const [row] = await database.query(
        `select b.available::integer, b.held::integer, p.micros::integer as paid,
           (select coalesce(sum(amount), 0)::integer from transfer where kind = 'payment') as moved,
           (select coalesce(sum(amount), 0)::integer from transfer where kind = 'charge') as charged,
           (select coalesce(sum(micros), 0)::integer from refund) as refunded,
           (select count(*)::integer from payment_problem) + (select count(*)::integer from ledger_problem) as problems
         from balance b join payment p on p.account_id = b.account_id where b.account_id = $1`,
        [accountId],
      )
      return row
    }
    return { payments, paymentId, books }
  }
  const settle = (payments: ReturnType<typeof createPayments>, paymentId: string) =>
    payments.settled(paymentId, { hash: '0xabc', block: 2 })

  test('moves what the call was charged, and a repeated settlement changes nothing', async () => {
    const { payments, paymentId, books } = await accept()
    expect(await payments.owed(paymentId, delivery)).toBe('owed')
    expect((await payments.get(paymentId))?.settles).toBe(300)
    await payments.settling(paymentId, signed)
    // A gateway that is killed here leaves this to the next one.
    expect(await books()).toMatchObject({ held: 20_000, moved: 0, problems: 0 })
    for (let times = 0; times < 2; times += 1)
      expect(await settle(payments, paymentId)).toBe('settled')
    const after = { available: 0, held: 0, paid: 300, moved: 300, charged: 300, refunded: 0 }
    expect(await books()).toEqual({ ...after, problems: 0 })
  })

  test('is settled whole before its call runs, and the rest is refunded', async () => {
    const { payments, paymentId, books } = await accept()
    await payments.owed(paymentId)
    await payments.settling(paymentId, signed)
    await settle(payments, paymentId)
    expect(await payments.owed(paymentId, delivery)).toBe('settled')
    expect(await books()).toEqual({
      available: 0,
      held: 0,
      paid: 20_000,
      moved: 20_000,
      charged: 300,
      refunded: 19_700,
      problems: 0,
    })
  })

  test('moves nothing once the chain can never have it', async () => {
    const { payments, paymentId, books } = await accept()
    await payments.owed(paymentId, delivery)
    await payments.settling(paymentId, signed)
    await payments.dead(paymentId, { reason: 'cancelled', byPayer: true })
    expect(await books()).toMatchObject({
      available: 0,
      held: 0,
      moved: 0,
      charged: 0,
      problems: 0,
    })
    expect(await payments.hasStrike((await payments.get(paymentId))?.accountId ?? '')).toBe(true)
  })
})
