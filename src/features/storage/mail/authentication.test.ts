import { generateKeyPairSync } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import DKIM from 'nodemailer/lib/dkim'
import { expect, test } from 'vitest'
import { createAuthentication } from './authentication.ts'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const key = publicKey.export({ type: 'spki', format: 'der' }).toString('base64')
const records: Record<string, string> = {
  'example.org': 'v=spf1 ip4:192.0.2.1 -all',
  's._domainkey.example.org': `v=DKIM1; k=rsa; p=${key}`,
  '_dmarc.example.org': 'v=DMARC1; p=reject',
}

const missing = () => Object.assign(new Error('no record'), { code: 'ENOTFOUND' })
const authenticate = createAuthentication({
  hostname: 'mx.agents.example',
  async resolve(name, type) {
    const text = type === 'TXT' ? records[name] : undefined
    if (text === undefined) throw missing()
    return [[text]]
  },
})
const plain = Buffer.from('From: bob@example.org\r\nSubject: Hi\r\n\r\nHello\r\n')
const signed = await buffer(
  new DKIM({
    domainName: 'example.org',
    keySelector: 's',
    privateKey: String(privateKey.export({ type: 'pkcs8', format: 'pem' })),
  }).sign(plain),
)
const changed = Buffer.from(signed.toString().replace('Hello', 'Help!'))
const allowed = { sender: 'bob@example.org', ip: '192.0.2.1', helo: 'mail.example.org' }
const foreign = { sender: 'eve@example.net', ip: '203.0.113.9', helo: 'mail.example.net' }

test.each([
  [
    'signed mail of the right server',
    signed,
    allowed,
    { spf: 'pass', dkim: 'pass', dmarc: 'pass' },
  ],
  ['signed mail that was forwarded', signed, foreign, { spf: 'none', dkim: 'pass', dmarc: 'pass' }],
  ['mail of the right server', plain, allowed, { spf: 'pass', dkim: 'none', dmarc: 'pass' }],
  [
    'mail of another server in its name',
    plain,
    { ...allowed, ip: '203.0.113.9' },
    { spf: 'fail', dkim: 'none', dmarc: 'fail' },
  ],
  ['mail that was changed on its way', changed, foreign, { dmarc: 'fail' }],
  [
    'mail with a second sender behind the genuine one',
    Buffer.from(`From: ceo@bank.example\r\n${plain}`),
    allowed,
    { dmarc: 'none' },
  ],
  [
    'mail with another sender beside the genuine one',
    Buffer.from(String(plain).replace('From: ', 'From: ceo@bank.example, ')),
    allowed,
    { dmarc: 'none' },
  ],
])('%s is told by its verdicts', async (_what, raw, envelope, verdicts) => {
  expect(await authenticate(raw, envelope)).toMatchObject(verdicts)
})

test('name servers that fail make the verdict uncertain, and the mail is kept', async () => {
  const broken = createAuthentication({
    hostname: 'mx.agents.example',
    resolve: () => Promise.reject(Object.assign(new Error('timeout'), { code: 'ETIMEOUT' })),
  })
  expect(await broken(signed, allowed)).toMatchObject({ spf: 'temperror', dmarc: 'temperror' })
})
