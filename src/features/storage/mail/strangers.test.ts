import { describe, expect, onTestFinished, test } from 'vitest'
import type { Caller } from '#core/caller.ts'
import { uuidv7 } from '#core/id.ts'
import { openDatabase } from '#platform/database/database.ts'
import { createTestDatabase } from '#test/database.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { createMailRows } from './mail-rows.ts'
import { messageWith } from './message.fixture.ts'
import { allowanceOf, createStrangers } from './strangers.ts'

const limits = { firstDay: 20, perDay: 500 }
const fresh = { ageDays: 0, hasPaid: false, strangers: 0, returned: 0, complaints: 0 }
const dayMs = 86_400_000

describe('the allowance of a day', () => {
  test('grows with the age of the account and a paid top-up, up to the most', () => {
    expect(allowanceOf(limits, fresh)).toBe(20)
    expect(allowanceOf(limits, { ...fresh, ageDays: 3 })).toBe(80)
    expect(allowanceOf(limits, { ...fresh, hasPaid: true })).toBe(100)
    expect(allowanceOf(limits, { ...fresh, ageDays: 400, hasPaid: true })).toBe(500)
  })

  test('shrinks with mail that comes back and with complaints, to one a day', () => {
    const old = { ...fresh, ageDays: 400, strangers: 1_000 }
    expect(allowanceOf(limits, { ...old, returned: 50 })).toBe(250)
    expect(allowanceOf(limits, { ...old, returned: 100 })).toBe(1)
    expect(allowanceOf(limits, { ...old, complaints: 5 })).toBe(250)
    expect(allowanceOf(limits, { ...old, complaints: 50 })).toBe(1)
  })

  test('is not lost by one wrong address', () => {
    expect(allowanceOf(limits, { ...fresh, strangers: 1, returned: 1 })).toBe(16)
  })

  test('is never raised above what the operator allows', () => {
    expect(allowanceOf({ firstDay: 20, perDay: 1 }, { ...fresh, returned: 100 })).toBe(1)
    expect(allowanceOf({ firstDay: 20, perDay: 5 }, fresh)).toBe(5)
  })
})

async function openStrangers() {
  const database = openDatabase({ connectionString: await createTestDatabase(), log })
  onTestFinished(database.close)
  let nowMs = Date.now()
  const clock = { now: () => nowMs, sleep: async () => {} }
  const rows = createMailRows({ database, clock })
  const strangers = createStrangers({ database, clock, limits })
  const caller: Caller = {
    kind: 'account',
    isLimited: false,
    accountId: uuidv7(nowMs),
    keyId: uuidv7(nowMs),
  }
  await database.query(`insert into account (id, kind, created_at) values ($1, 'caller', $2)`, [
    caller.accountId,
    new Date(nowMs),
  ])
  const address = 'ada@agents.example'
  await rows.create(caller, { address, displayName: null }, async () => {})
  const inbox = await rows.find(caller, address)
  const others = (count: number, from = 0) =>
    Array.from({ length: count }, (_, number) => `stranger${from + number}@example.org`)
  return {
    database,
    inbox,
    others,
    here: strangers,
    there: createStrangers({ database, clock, limits }),
    passDays: (days: number) => {
      nowMs += days * dayMs
    },
    send: (headerId: string) =>
      rows.add(
        inbox,
        messageWith({ direction: 'sent', sender: address, subject: 'Hi', text: 'Hi', headerId }),
      ),
  }
}

const beyond = { code: 'rate_limited', status: 429 }

test('mails at the same time, at two gateways, stay within the allowance of the day', async () => {
  const { inbox, here, there, others, passDays } = await openStrangers()
  const asked = others(50).map((address, number) =>
    (number % 2 === 0 ? here : there).take(inbox, [address]),
  )
  const settled = await Promise.allSettled(asked)
  expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(20)
  await expect(here.take(inbox, others(1, 50))).rejects.toMatchObject({
    ...beyond,
    message: expect.stringContaining('may write to 20 strangers a day'),
  })
  passDays(1)
  await there.take(inbox, others(40))
  await expect(here.take(inbox, others(1, 40))).rejects.toMatchObject(beyond)
})

test('people who wrote first are not counted, however often they are answered', async () => {
  const { inbox, here, others } = await openStrangers()
  await here.met(inbox, 'Friend@example.org')
  await here.take(inbox, others(20))
  for (let turn = 0; turn < 100; turn++) await here.take(inbox, ['friend@example.org'])
  await expect(here.take(inbox, ['friend@example.org', ...others(1, 20)])).rejects.toMatchObject(
    beyond,
  )
})

test('a stranger counts once a day, however many mails they get', async () => {
  const { inbox, here, there, others, passDays } = await openStrangers()
  await here.take(inbox, others(19))
  const repeated = Array.from({ length: 20 }, (_, turn) =>
    (turn % 2 === 0 ? here : there).take(inbox, ['Nineteen@example.org', ...others(19)]),
  )
  await Promise.all(repeated)
  await expect(here.take(inbox, others(1, 20))).rejects.toMatchObject(beyond)
  await there.take(inbox, ['nineteen@example.org'])
  passDays(1)
  await here.take(inbox, others(40, 100))
  await expect(here.take(inbox, ['nineteen@example.org'])).rejects.toMatchObject(beyond)
})

test('what was not sent is given back', async () => {
  const { inbox, here, others } = await openStrangers()
  const { giveBack } = await here.take(inbox, others(20))
  await giveBack()
  await here.take(inbox, others(20, 20))
})

test('bounces and complaints about sent mail count once, and others not at all', async () => {
  const { database, inbox, here, send } = await openStrangers()
  await send('<one@agents.example>')
  await send('<two@agents.example>')
  for (let turn = 0; turn < 3; turn++) {
    await here.reported('returned', ['<one@agents.example>', '<forged@example.org>'])
    await here.reported('complaint', ['<two@agents.example>'])
  }
  expect(await database.query('select returned, complaints from mail_day')).toEqual([
    { returned: 1, complaints: 1 },
  ])
  await here.refused(inbox, 2)
  expect(await database.query('select returned from mail_day')).toEqual([{ returned: 3 }])
})

test('counts are forgotten with the messages', async () => {
  const { database, inbox, here, others, passDays } = await openStrangers()
  await here.take(inbox, others(1))
  await here.met(inbox, 'friend@example.org')
  passDays(181)
  await here.forgetOld()
  for (const table of ['mail_day', 'mail_correspondent', 'mail_stranger'])
    expect(await database.query(`select 1 from ${table}`)).toEqual([])
})
