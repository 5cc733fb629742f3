// Without a vendor's key the gateway checks e-mail addresses itself and says so. Other actions of the vendor are
// unavailable.
import { expect, onTestFinished, test } from 'vitest'
import { shareGatewayOfWorker, startGateway } from '#test/harness.ts'
import { exchangeOf } from '#test/people/lead-vendors.ts'
import { startReplayServer } from '#test/replay-server.ts'

const email = 'jane@mailinator.com'
const shared = shareGatewayOfWorker()

test.each([
  ['ns_contact/email-verify', { status: 'disposable' }],
  ['ns_email_a/email-verifier', { email: { result: 'risky', disposable: true, smtp_check: null } }],
])('%s is embedded, charged as ever, and names itself', async (action, data) => {
  const gateway = shared()
  const account = await gateway.account(10)
  const { body: about } = await gateway.request('GET', `/api/run/${action}`)
  expect(about.mode).toBe('embedded')
  expect(about.reason).toBeUndefined()
  const { body } = await account.call(action, { email })
  expect(body).toMatchObject({
    ok: true,
    data: { ...data, provider: 'embedded' },
    charged_cents: 2,
  })
  expect(await account.state()).toEqual({ availableCents: 8, heldCents: 0, transactions: 1 })
})

test.each(['ns_contact/person-from-email', 'ns_email_a/enrich', 'ns_email_b/email-verification'])(
  '%s stays unavailable',
  async (action) => {
    const gateway = shared()
    const account = await gateway.account(10)
    const reply = await account.call(action, { email })
    expect(reply.status).toBe(503)
    expect(reply.body.error).toBe('provider_not_configured')
    expect(reply.body.message).toMatch(/Set NS_\w+_API_KEY/)
    expect(await account.state()).toEqual({ availableCents: 10, heldCents: 0, transactions: 0 })
  },
)

test('with a key the vendor is asked', async () => {
  const vendor = await startReplayServer([exchangeOf('ns_contact/email-verify')])
  onTestFinished(vendor.close)
  const gateway = await startGateway({
    env: { CONTACTOUT_API_KEY: 'key', NS_CONTACT_BASE_URL: vendor.baseUrlFor('') },
  })
  const account = await gateway.account(10)
  const { body } = await account.call('ns_contact/email-verify', { email: 'person@example.com' })
  expect(body.data).toEqual({ status: 'valid' })
  expect(vendor.problems()).toEqual([])
})

test('a malformed key of two parts is refused with its notation', async () => {
  const gateway = shared()
  const { body } = await gateway.request('GET', '/api/run/ns_email_a/enrich')
  expect(body.reason).toBe(
    'Set NS_EMAIL_A_API_KEY (or TOMBA_API_KEY) to key:secret and restart, or paste the key on the page Providers of the console.',
  )
})
