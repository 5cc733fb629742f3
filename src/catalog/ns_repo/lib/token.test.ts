import { generateKeyPairSync, verify } from 'node:crypto'
import { expect, test } from 'vitest'
import { signToken } from './token.ts'

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
const claims = { repo: 'r', scopes: ['git:read'], iat: 1, exp: 2 }

test.each([
  ['PEM', pem],
  ['PEM with escaped line ends', pem.replaceAll('\n', '\\n')],
  ['base64', Buffer.from(pem).toString('base64')],
])('a token is signed by ES256 with a key in %s', (_form, key) => {
  const { issuer, token } = signToken(`acme:${key}`, claims)
  const [head = '', body = '', signature = ''] = token.split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  expect([issuer, read(head), read(body)]).toEqual([
    'acme',
    { alg: 'ES256', typ: 'JWT' },
    { iss: 'acme', ...claims },
  ])
  const isSigned = verify(
    'sha256',
    Buffer.from(`${head}.${body}`),
    { key: publicKey, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature, 'base64url'),
  )
  expect(isSigned).toBe(true)
})

test.each(['acme', 'acme:not a key', pem])('another text is not a key', (key) => {
  expect(() => signToken(key, claims)).toThrow('ORGANIZATION:KEY')
})
