import { generateKeyPairSync } from 'node:crypto'
import { expect, test } from 'vitest'
import { createDnsCheck } from './dns-check.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
const domain = 'agents.example'
const hostname = 'mx.agents.example'

const right: Record<string, string[]> = {
  [`MX ${domain}`]: ['20 other.example', `10 ${hostname}`],
  [`A ${hostname}`]: ['192.0.2.1'],
  [`TXT ${domain}`]: ['site-verification=1', 'v=spf1 include:relay.example -all'],
  [`TXT tollway._domainkey.${domain}`]: [`v=DKIM1; k=rsa; p=${key}`],
  [`TXT _dmarc.${domain}`]: ['v=DMARC1; p=reject; rua=mailto:a@example.com'],
}

async function check(records: Record<string, string[] | 'silent'>, withKey = true) {
  const dnsCheck = createDnsCheck({
    domains: [domain],
    hostname,
    dkim: withKey
      ? {
          selector: 'tollway',
          privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
        }
      : undefined,
    async lookUp(name, type) {
      const found = records[`${type} ${name}`]
      if (found === 'silent') throw Object.assign(new Error('timeout'), { code: 'ETIMEOUT' })
      if (found === undefined) throw Object.assign(new Error('none'), { code: 'ENODATA' })
      return found
    },
  })
  const [checked] = await dnsCheck()
  return Object.fromEntries((checked?.records ?? []).map((each) => [each.record, each.status]))
}

const allOk = { MX: 'ok', address: 'ok', SPF: 'ok', DKIM: 'ok', DMARC: 'ok' }

test('records as the guide gives them are ok', async () => {
  expect(await check(right)).toEqual(allOk)
})

test('without a key, no DKIM record is needed', async () => {
  const { DKIM: _none, ...others } = allOk
  expect(await check(right, false)).toEqual(others)
})

test('without records, all are missing', async () => {
  expect(new Set(Object.values(await check({})))).toEqual(new Set(['missing']))
})

test.each([
  ['an MX record that names another server', `MX ${domain}`, ['10 other.example'], 'MX', 'wrong'],
  ['two SPF records', `TXT ${domain}`, ['v=spf1 -all', 'v=spf1 ~all'], 'SPF', 'wrong'],
  ['SPF that lets everyone send', `TXT ${domain}`, ['v=spf1 +all'], 'SPF', 'wrong'],
  [
    'the public half of another key',
    `TXT tollway._domainkey.${domain}`,
    ['v=DKIM1; k=rsa; p=MIIB'],
    'DKIM',
    'wrong',
  ],
  ['a revoked key', `TXT tollway._domainkey.${domain}`, ['v=DKIM1; p='], 'DKIM', 'wrong'],
  [
    'DMARC without a policy',
    `TXT _dmarc.${domain}`,
    ['v=DMARC1; rua=mailto:a@b.example'],
    'DMARC',
    'wrong',
  ],
  ['a TXT record that is not SPF', `TXT ${domain}`, ['v=spf10'], 'SPF', 'missing'],
  ['name servers that do not answer', `MX ${domain}`, 'silent' as const, 'MX', 'unknown'],
])('%s', async (_what, name, found, record, status) => {
  expect(await check({ ...right, [name]: found })).toEqual({ ...allOk, [record]: status })
})

test('a key that DNS splits with spaces is the same key', async () => {
  const split = `v=DKIM1; k=rsa; p=${key.slice(0, 100)} ${key.slice(100)}`
  expect(await check({ ...right, [`TXT tollway._domainkey.${domain}`]: [split] })).toEqual(allOk)
})
