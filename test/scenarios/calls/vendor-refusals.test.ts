// A vendor's reason for refusing a request reaches the caller. Its messages about the operator's account do not.
import { expect, test } from 'vitest'
import { providers } from '#catalog/providers.ts'
import { adminToken } from '#test/harness.ts'
import { exchangeOf, shareLeadVendors } from '#test/people/lead-vendors.ts'

const { vendor, gateway } = await shareLeadVendors()

const example = (id: string) => {
  const [service, name] = id.split('/')
  const provider = providers.find((candidate) => candidate.id === service)
  return provider?.actions.find((action) => action.name === name)?.example.input
}

async function refusedWith(status: number, body: unknown) {
  const account = await gateway().account(100)
  vendor.add([exchangeOf('ns_jobs/jobs', { status, body })])
  const reply = await account.call('ns_jobs/jobs', example('ns_jobs/jobs'))
  expect(await account.state()).toMatchObject({ availableCents: 100, heldCents: 0 })
  return reply
}

test('a refusal names the same parameter as the vendor and costs nothing', async () => {
  const detail = [{ loc: ['body', 'job_title_or'], msg: 'value is not a valid list' }]
  expect(await refusedWith(422, { detail })).toMatchObject({
    status: 400,
    body: {
      error: 'bad_request',
      message: expect.stringContaining('data.provider_message'),
      data: { provider_message: 'job_title_or: value is not a valid list' },
    },
  })
})

test.each([
  [400, { message: 'Invalid API key jobs:secret' }],
  [422, { error: { message: 'Your account has 0 credits left, upgrade your plan' } }],
  [401, { message: 'limit must be an integer' }],
  [402, { message: 'limit must be an integer' }],
  [403, { message: 'limit must be an integer' }],
  [429, { message: 'limit must be an integer' }],
  [500, { message: 'limit must be an integer' }],
])('a %i that says %o says nothing of it to the caller', async (status, said) => {
  const { body } = await refusedWith(status, said)
  expect(body.ok).toBe(false)
  expect(JSON.stringify(body)).not.toMatch(/secret|credits|plan|integer/)
})

test('an unknown address below the operator’s routes is 404 to the operator and 401 to others', async () => {
  const paths = ['/api/v1/admin/nothing', '/api/v1/admin', '/api/v1/admin/accounts/x/nothing']
  const account = await gateway().account(1)
  for (const at of paths) {
    for (const method of ['GET', 'POST', 'DELETE']) {
      const ask = async (key?: string) => (await gateway().request(method, at, { key })).status
      expect(
        [await ask(adminToken), await ask(account.key), await ask()],
        `${method} ${at}`,
      ).toEqual([404, 401, 401])
    }
  }
})
