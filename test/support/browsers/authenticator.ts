// A device with one passkey, as WebAuthn Level 3 describes it, beside a browser that says where its page is from.
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { isoCBOR } from '@simplewebauthn/server/helpers'

export interface AuthenticatorChanges {
  /** Where the browser has the page open. */
  readonly origin?: string
  /** The site whose passkey signs. */
  readonly siteId?: string
  /** Without it the person has not entered a PIN or shown a finger. */
  readonly isVerified?: boolean
  /** How often it has signed before. */
  readonly signCount?: number
  /** Certificates with which the device says who made it. */
  readonly certificates?: readonly Buffer[]
}

interface Options {
  readonly challenge: string
}

export interface Authenticator {
  /** What `navigator.credentials.create` resolves to, as JSON. */
  create(options: Options, changes?: AuthenticatorChanges): object
  /** What `navigator.credentials.get` resolves to, as JSON. */
  get(options: Options, changes?: AuthenticatorChanges): object
}

const flags = { present: 0x01, verified: 0x04, hasKey: 0x40 } as const
const cose = { keyType: 1, algorithm: 3, curve: -1, x: -2, y: -3 } as const
const es256 = { keyType: 2, algorithm: -7, curve: 1 } as const

const sha256 = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest()

function bigEndian(value: number, bytes: 2 | 4): Buffer {
  const buffer = Buffer.alloc(bytes)
  buffer.writeUIntBE(value, 0, bytes)
  return buffer
}

function coseKeyOf(publicKey: KeyObject): Uint8Array {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' })
  return isoCBOR.encode(
    new Map<number, number | Uint8Array>([
      [cose.keyType, es256.keyType],
      [cose.algorithm, es256.algorithm],
      [cose.curve, es256.curve],
      [cose.x, Uint8Array.from(Buffer.from(x, 'base64url'))],
      [cose.y, Uint8Array.from(Buffer.from(y, 'base64url'))],
    ]),
  )
}

function dataOf(origin: string, changes: AuthenticatorChanges, more = 0): Buffer {
  const { siteId = new URL(origin).hostname, isVerified = true, signCount = 0 } = changes
  const shown = flags.present | (isVerified ? flags.verified : 0) | more
  return Buffer.concat([sha256(siteId), Buffer.from([shown]), bigEndian(signCount, 4)])
}

const clientData = (type: string, { challenge }: Options, origin: string) =>
  Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }))

export function createAuthenticator(gatewayUrl: string): Authenticator {
  const ownOrigin = gatewayUrl.replace('127.0.0.1', 'localhost')
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const credentialId = randomBytes(32)
  const id = credentialId.toString('base64url')

  return {
    create(options, changes = {}) {
      const authData = Buffer.concat([
        dataOf(ownOrigin, changes, flags.hasKey),
        Buffer.alloc(16),
        bigEndian(credentialId.length, 2),
        credentialId,
        coseKeyOf(publicKey),
      ])
      const clientDataJSON = clientData('webauthn.create', options, changes.origin ?? ownOrigin)
      const { certificates } = changes
      const signature = sign(
        'sha256',
        Buffer.concat([authData, sha256(clientDataJSON)]),
        privateKey,
      )
      const statement =
        certificates === undefined
          ? new Map()
          : new Map<string, unknown>([
              ['alg', es256.algorithm],
              ['sig', Uint8Array.from(signature)],
              ['x5c', certificates.map((each) => Uint8Array.from(each))],
            ])
      const attestation = new Map<string, unknown>([
        ['fmt', certificates === undefined ? 'none' : 'packed'],
        ['attStmt', statement],
        ['authData', Uint8Array.from(authData)],
      ])
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        authenticatorAttachment: 'platform',
        response: {
          clientDataJSON: clientDataJSON.toString('base64url'),
          attestationObject: Buffer.from(isoCBOR.encode(attestation as never)).toString(
            'base64url',
          ),
          transports: ['internal'],
        },
      }
    },
    get(options, changes = {}) {
      const authenticatorData = dataOf(ownOrigin, changes)
      const clientDataJSON = clientData('webauthn.get', options, changes.origin ?? ownOrigin)
      const signed = Buffer.concat([authenticatorData, sha256(clientDataJSON)])
      return {
        id,
        rawId: id,
        type: 'public-key',
        clientExtensionResults: {},
        response: {
          clientDataJSON: clientDataJSON.toString('base64url'),
          authenticatorData: authenticatorData.toString('base64url'),
          signature: sign('sha256', signed, privateKey).toString('base64url'),
        },
      }
    },
  }
}
