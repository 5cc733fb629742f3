import { expect, test } from 'vitest'
import { createMailServerLookup, type MailResolver } from './mail-servers.ts'
import { createEmailVerification, localProvider } from './verification.ts'

const failing = (code: string) => async () => {
  throw Object.assign(new Error(code), { code })
}
const nothing: MailResolver = {
  resolveMx: failing('ENODATA'),
  resolve4: failing('ENODATA'),
  resolve6: failing('ENODATA'),
}
const mx = (...names: string[]): MailResolver => ({
  ...nothing,
  resolveMx: async () => names.map((exchange, at) => ({ exchange, priority: 10 - at })),
})
const a = async () => ['192.0.2.1']

const verify = (action: string, email: string, resolver: MailResolver) =>
  createEmailVerification(createMailServerLookup(resolver))
    .get(action)
    ?.run({
      input: { email },
    } as never)

test.each([
  ['a domain with mail servers', 'jane@example.com', mx('mx1.example.com'), 'unknown', 'risky'],
  [
    'a domain with an address only',
    'jane@example.com',
    { ...nothing, resolve4: a },
    'unknown',
    'risky',
  ],
  ['a domain with neither', 'jane@example.com', nothing, 'invalid', 'undeliverable'],
  [
    'a domain that does not exist',
    'jane@example.com',
    { ...nothing, resolveMx: failing('ENOTFOUND') },
    'invalid',
    'undeliverable',
  ],
  ['a domain that refuses mail (RFC 7505)', 'jane@example.com', mx(''), 'invalid', 'undeliverable'],
  ['a disposable domain', 'jane@Mailinator.com', nothing, 'disposable', 'risky'],
] as const)('%s', async (_title, email, resolver, status, result) => {
  expect(await verify('ns_contact/email-verify', email, resolver)).toEqual({
    status,
    provider: localProvider,
  })
  expect(await verify('ns_email_a/email-verifier', email, resolver)).toMatchObject({
    email: { email, status, result, smtp_check: null },
    provider: localProvider,
  })
})

test('an address is never reported as deliverable', async () => {
  const { email } = (await verify(
    'ns_email_a/email-verifier',
    'info@example.com',
    mx('b', 'a'),
  )) as {
    email: Record<string, unknown>
  }
  expect(email).toMatchObject({
    role: true,
    disposable: false,
    score: null,
    mx: { records: ['a', 'b'] },
  })
  expect(email.result).toBe('risky')
})

test('an impossible domain name accepts no mail', async () => {
  const email = `jane@${'a'.repeat(64)}.com`
  const reply = await createEmailVerification()
    .get('ns_contact/email-verify')
    ?.run({ input: { email } } as never)
  expect(reply).toEqual({ status: 'invalid', provider: localProvider })
})

test.each([
  ['the MX record', { ...nothing, resolveMx: failing('ETIMEOUT') }],
  ['the addresses', { ...nothing, resolve4: failing('ESERVFAIL') }],
])('name servers that fail on %s are a failure, not a verdict', async (_what, resolver) => {
  await expect(
    verify('ns_contact/email-verify', 'jane@example.com', resolver),
  ).rejects.toMatchObject({
    code: 'upstream_error',
  })
})
