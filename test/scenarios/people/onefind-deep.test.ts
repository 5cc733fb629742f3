// Filling fields of people through the door: what a job returns and charges, within which budget, and what happens when
// vendors fail.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Gateway, startGateway, type TestAccount, verify } from '#test/harness.ts'
import { type PeopleVendors, type Said, startPeopleVendors } from '#test/people/vendors.ts'

const emailOf = (name: string) => `${name.toLowerCase().replace(' ', '.')}@acme.example`
const answers: Readonly<Record<string, Said>> = {
  '/email-finder': ({ query }) => ({ data: { email: emailOf(query.get('full_name') ?? '') } }),
  '/v1/email/verify': { data: { status: 'valid' } },
}
/** Each a person whom no other test asks about, because misses are remembered. */
const rowsOf = (...names: string[]) => names.map((name) => `${name} Doe, acme.example`)

const endings: (() => Promise<void>)[] = []
let vendors: PeopleVendors
let gateway: Gateway
beforeAll(async () => {
  vendors = await startPeopleVendors()
  gateway = await startGateway({ env: vendors.env }, (end) => endings.unshift(end))
})
afterAll(async () => {
  for (const end of endings) await end()
  vendors.close()
})

async function fill(account: TestAccount, body: object) {
  const { body: handle } = await account.call('tollway/onefind-deep', body)
  expect(handle).toMatchObject({ ok: true, data: { status: 'queued' } })
  const poll = { job_id: handle.data.job_id, wait_seconds: 30 }
  return (await account.call('tollway/result', poll)).body.data
}

test('found addresses are charged at their price, and the rest of the budget comes back', async () => {
  vendors.say(answers)
  const account = await gateway.account(100)
  const done = await fill(account, { rows: rowsOf('Jane', 'Rosa') })
  expect(done).toMatchObject({ status: 'succeeded', charged_cents: 20 })
  expect(done.result).toMatchObject({ filled_count: 2, spent_cents: 20, budget_cents: 32 })
  expect(done.result.rows).toMatchObject([
    { name: 'Jane Doe', email: 'jane.doe@acme.example', filled: ['email'], charged_cents: 10 },
    {
      name: 'Rosa Doe',
      sources: { email: ['ns_email_a/email-finder'] },
      verified: { email: true },
      charged_cents: 10,
    },
  ])
  const [{ confidence }] = done.result.rows
  expect(confidence.email).toBeGreaterThanOrEqual(0.97)
  expect(confidence.email).toBeLessThan(1)
  expect(await account.state()).toMatchObject({ availableCents: 80, heldCents: 0 })
  expect(await verify(gateway)).toMatchObject({ ok: true, problems: [] })
})

test('the budget pays for as many fields as it covers, and the other rows say so', async () => {
  vendors.say(answers)
  const account = await gateway.account(100)
  const { result } = await fill(account, { rows: rowsOf('Ada', 'Ben', 'Cid'), budgetCents: 25 })
  expect(result).toMatchObject({ filled_count: 2, spent_cents: 20 })
  const short = result.rows.filter(({ error }: { error?: string }) => error === 'over budget')
  expect(short).toMatchObject([{ email: null, missing: { email: 'over budget' } }])
  expect(result.next).toContain('larger budgetCents')
  expect(await account.state()).toMatchObject({ availableCents: 80, heldCents: 0 })
})

test('an address that the verification refuses is neither returned nor charged', async () => {
  vendors.say({
    ...answers,
    '/v1/email/verify': { data: { status: 'invalid' } },
    '/email-search': 500,
  })
  const account = await gateway.account(100)
  const { result } = await fill(account, { rows: rowsOf('Eve') })
  expect(result.rows).toMatchObject([{ email: null, charged_cents: 0 }])
  expect(result).toMatchObject({ spent_cents: 0, filled_count: 0 })
  expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
})

test('when one vendor answers with errors, refusals or garbage, the next one is asked', async () => {
  const failures: Readonly<Record<string, Said>> = { Finn: 500, Gil: 429, Hans: { garbage: true } }
  const nameOf = (id: unknown) => String(id).replace('search-', '')
  vendors.say({
    '/email-finder': ({ query }) => failures[query.get('full_name')?.split(' ')[0] ?? ''] ?? 500,
    '/email-search': ({ body }) => ({
      success: true,
      item: { _id: `search-${body.firstname}`, status: 'NONE' },
    }),
    '/bulk-single-searchs/read': ({ body: { id } }) => ({
      success: true,
      items: [
        {
          _id: id,
          status: 'FOUND',
          results: { emails: [{ email: emailOf(`${nameOf(id)} Doe`) }] },
        },
      ],
    }),
    '/v1/email/verify': { data: { status: 'valid' } },
  })
  const account = await gateway.account(100)
  const { result } = await fill(account, { rows: rowsOf(...Object.keys(failures)) })
  for (const row of result.rows)
    expect(row).toMatchObject({ sources: { email: ['ns_email_b/email-search'] } })
  expect(await account.state()).toMatchObject({ availableCents: 70, heldCents: 0 })
})

test('a job in which every vendor fails is free', async () => {
  vendors.say({})
  const account = await gateway.account(100)
  const done = await fill(account, { rows: rowsOf('Gus', 'Hal') })
  expect(done).toMatchObject({ status: 'failed', error: 'upstream_error' })
  expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
})

test('a person of whom too little is known is refused before anything is held', async () => {
  vendors.say(answers)
  const account = await gateway.account(100)
  const { status, body } = await account.call('tollway/onefind-deep', { rows: ['Jane'] })
  expect(status).toBe(400)
  expect(body.message).toContain('or a name with a company')
  expect(await account.state()).toMatchObject({ availableCents: 100, transactions: 0 })
})
