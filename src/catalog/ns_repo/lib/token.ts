// Tokens of Code Storage: JWTs that the operator's own key signs. The key itself is never sent.
import { createPrivateKey, sign } from 'node:crypto'
import { fail } from '#core/errors.ts'

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** `key`: the organization, a colon, and its private key: PKCS #8 in PEM, or the same in base64 on one line. */
export function signToken(key: string, claims: object) {
  const [issuer = '', ...rest] = key.split(':')
  const privateKey = readPrivateKey(rest.join(':'))
  const content = `${encode({ alg: 'ES256', typ: 'JWT' })}.${encode({ iss: issuer, ...claims })}`
  const signature = sign('sha256', Buffer.from(content), {
    key: privateKey,
    dsaEncoding: 'ieee-p1363',
  })
  return { issuer, token: `${content}.${signature.toString('base64url')}` }
}

function readPrivateKey(text: string) {
  const pem = text.includes('-----BEGIN') ? text : Buffer.from(text, 'base64').toString()
  try {
    return createPrivateKey(pem.replaceAll('\\n', '\n'))
  } catch (cause) {
    throw fail('provider_not_configured', {
      message:
        'The operator’s key of this provider cannot be read: it is ORGANIZATION:KEY, with the private key in PEM or base64.',
      cause,
    })
  }
}
