import fc from 'fast-check'
import { expect, test } from 'vitest'
import { uuidv7 } from '#core/id.ts'
import type { Micros } from '#core/money.ts'
import { openAccount, openLedger } from '#test/ledger.ts'
import { createMonthlyStatements } from './monthly-statements.ts'

type Account = Awaited<ReturnType<typeof openAccount>>

const runs = Number(process.env.STATEMENT_RUNS ?? 8)
const monthsBack = 4
const now = new Date()
/** The first moment of the month so many months before this one. */
const monthBefore = (months: number) =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - months))
const nameOf = (at: Date) => at.toISOString().slice(0, 7)

async function setUp() {
  const { database, ledger } = await openLedger()
  const statements = createMonthlyStatements({ database, ledger })
  /** What the work posts to an account happened at this time. */
  async function at(account: Account, time: Date, work: () => Promise<unknown>) {
    const [before] = await database.query<{ id: number }>(
      'select coalesce(max(id), 0) as id from transfer',
    )
    await work()
    await database.query(
      'update transfer set created_at = $2 where id > $1 and $3 in (debit, credit)',
      [before?.id, time, account.accountId],
    )
  }
  async function call(account: Account, charged: Micros, action: string) {
    const callId = uuidv7(Date.now())
    await account.hold(charged + 3, { callId, action })
    await account.settle(callId, charged)
  }
  /** Posts for a call of the wallet, as the functions of payments do. */
  const post = (account: Account, kind: string, house: string, micros: Micros, sign: 1 | -1) =>
    database.query(
      `with changed as (update balance set available = available + $4::bigint * $5::bigint where account_id = $2)
       select post(gen_random_uuid(), $1, case $5::bigint when 1 then house($3) else $2::uuid end,
         case $5::bigint when 1 then $2::uuid else house($3) end, $4)`,
      [kind, account.accountId, house, micros, sign],
    )
  return { database, ledger, statements, at, call, post }
}

test('the statements of an account are the sums of its postings, month by month, summed up or not', async () => {
  const { database, ledger, statements, at, call, post } = await setUp()
  const event = fc.record({
    what: fc.constantFrom(
      'call',
      'call',
      'call',
      'credit',
      'debit',
      'topup',
      'payment',
      'unused',
      'refund',
    ),
    action: fc.constantFrom('test/echo', 'test/page', 'other/find'),
    micros: fc.integer({ min: 1, max: 999_999 }),
    msBeforeNow: fc.integer({ min: 0, max: now.getTime() - monthBefore(monthsBack).getTime() }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(event, { maxLength: 25 }), async (events) => {
      const account = await openAccount(database, ledger, 0)
      await at(account, monthBefore(monthsBack), () =>
        ledger.credit(account.accountId, 100_000_000, 'test'),
      )
      // Time passes, and the account is asked in between, so days are summed at different times.
      const sorted = events.toSorted((one, other) => other.msBeforeNow - one.msBeforeNow)
      for (const { what, action, micros, msBeforeNow } of sorted)
        await at(account, new Date(now.getTime() - msBeforeNow), async () => {
          if (what === 'call') await call(account, micros, action)
          else if (what === 'credit') await ledger.credit(account.accountId, micros, 'test')
          else if (what === 'debit')
            await database.transaction((client) =>
              ledger.debit(account.accountId, micros, 'test', client),
            )
          else if (what === 'topup') await post(account, 'topup', 'revenue', micros, 1)
          else if (what === 'payment')
            await post(account, 'provisional_credit', 'provisional', micros, 1)
          else if (what === 'unused')
            await post(account, 'provisional_credit_end', 'provisional', micros, -1)
          else await post(account, 'refund_due', 'refunds', micros, -1)
        })
      for (const round of ['summed while asked', 'summed before']) {
        const list = await statements.list(account.accountId)
        expect(
          list.map(({ month }) => month),
          round,
        ).toEqual(Array.from({ length: monthsBack + 1 }, (_, back) => nameOf(monthBefore(back))))
        expect(list.map(({ isClosed }) => isClosed).slice(1), round).not.toContain(false)
        expect(list[0]).toMatchObject({ isClosed: false })
        expect(list.at(-1)?.opening).toBe(0)
        for (const { month } of list) {
          const statement = await statements.read(account.accountId, month)
          expect(statement, round).toMatchObject(list.find((each) => each.month === month) ?? {})
          expect(
            statement?.movements
              .map(({ kind, action, count, amount }) =>
                [kind, action ?? '', count, amount].join(' '),
              )
              .sort(),
            round,
          ).toEqual(await recompute(account, month))
        }
        for (const [index, { opening }] of list.entries())
          expect(opening).toBe(list[index + 1]?.closing ?? 0)
        const { available = 0, held = 0 } = (await account.balance()) ?? {}
        expect(list[0]?.closing).toBe(available + held)
      }
    }),
    { numRuns: runs },
  )
  const { problems } = await ledger.verify()
  expect(problems.filter(({ rule }) => rule.includes('statement'))).toEqual([])

  async function recompute({ accountId }: Account, month: string) {
    const rows = await database.query<{ line: string }>(
      `select concat_ws(' ', t.kind, case t.kind when 'charge' then c.action else '' end, count(*), sum(p.amount)) as line
       from posting p join transfer t on t.id = p.transfer_id left join call c on c.id = t.call_id
       where p.account_id = $1 and to_char(t.created_at at time zone 'utc', 'YYYY-MM') = $2
       group by t.kind, case t.kind when 'charge' then c.action else '' end`,
      [accountId, month],
    )
    return rows.map(({ line }) => line).sort()
  }
})

test('a closed month never changes, and the books say so if something is posted in it', async () => {
  const { database, ledger, statements, at, call } = await setUp()
  const account = await openAccount(database, ledger, 0)
  await at(account, monthBefore(2), () => ledger.credit(account.accountId, 1_000_000, 'test'))
  const month = nameOf(monthBefore(2))
  const before = await statements.read(account.accountId, month)
  expect(before).toMatchObject({ isClosed: true, opening: 0, closing: 1_000_000 })
  await call(account, 5, 'test/echo')
  expect(await statements.read(account.accountId, month)).toEqual(before)
  // By hand, as nothing in the gateway does.
  await at(account, monthBefore(2), () => ledger.credit(account.accountId, 7, 'late'))
  expect(await statements.read(account.accountId, month)).toEqual(before)
  const { problems } = await ledger.verify()
  expect(problems).toEqual([
    expect.objectContaining({
      rule: 'a statement is not the sum of its postings',
      subject: `${account.accountId} ${month}-01`,
      found: '1000000',
      expected: '1000007',
    }),
  ])
})

test('two gateways that ask at once sum each day once', async () => {
  const { database, ledger, statements, at, call } = await setUp()
  const account = await openAccount(database, ledger, 0)
  await at(account, monthBefore(1), () => ledger.credit(account.accountId, 1_000_000, 'test'))
  await at(account, monthBefore(1), () => call(account, 5, 'test/echo'))
  const other = createMonthlyStatements({ database, ledger })
  const asked = await Promise.all(
    Array.from({ length: 12 }, (_, turn) =>
      (turn % 2 === 0 ? statements : other).read(account.accountId, nameOf(monthBefore(1))),
    ),
  )
  for (const statement of asked)
    expect(statement).toMatchObject({ added: 1_000_000, taken: 5, closing: 999_995 })
})

test('an account without postings has the present month alone, with nothing in it', async () => {
  const { database, ledger, statements } = await setUp()
  const { accountId } = await openAccount(database, ledger, 0)
  expect(await statements.list(accountId)).toMatchObject([
    { month: nameOf(now), opening: 0, added: 0, taken: 0, closing: 0, isClosed: false },
  ])
  expect(await statements.read(accountId, nameOf(monthBefore(1)))).toBeUndefined()
})
