// Passkeys (WebAuthn): a person proves with a device that they hold, and its PIN or a finger, that they may use an
// account.
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server'
import type { ClientBase } from 'pg'
import { z } from '#core/action.ts'
import { CallError, fail } from '#core/errors.ts'
import type { Database } from '#platform/database/database.ts'
import { type ApiKeyHash, hashOfBytes } from '../keys/api-key.ts'
import type { ApiKey, KeyOwner, Keys } from '../keys/keys.ts'
import { refuseForeignSignIn } from '../operators/operators.ts'
import type { PasskeyChallenges } from './challenges.ts'
import type { RelyingParty } from './relying-party.ts'

const base64url = (charactersMax: number) =>
  z
    .string()
    .min(1)
    .max(charactersMax)
    .regex(/^[\w-]+$/, 'must be base64url')

/** WebAuthn: a credential id has at most 1,023 bytes. */
const credentialId = base64url(1_400)
const credentialFields = { id: credentialId, rawId: credentialId, type: z.literal('public-key') }

/** `navigator.credentials.create` gives this as JSON. Other fields are left out. */
export const passkeyRegistration = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: base64url(4_000),
    attestationObject: base64url(20_000),
    transports: z.array(z.string().max(20)).max(10).default([]),
  }),
})

/** What `navigator.credentials.get` gives, as JSON. */
export const passkeyAssertion = z.object({
  ...credentialFields,
  response: z.object({
    clientDataJSON: base64url(4_000),
    authenticatorData: base64url(4_000),
    signature: base64url(2_000),
    userHandle: base64url(100).nullish(),
  }),
})

export type PasskeyRegistration = z.output<typeof passkeyRegistration>
export type PasskeyAssertion = z.output<typeof passkeyAssertion>

export interface Passkeys {
  /** The site of the passkeys. Undefined where browsers have none. */
  site(): RelyingParty | undefined
  /** What a page asks the browser for, to sign in. Throws `unavailable` without a site, as all of these do. */
  askToSignIn(): Promise<PublicKeyCredentialRequestOptionsJSON>
  /** What a page asks the browser for, to make a passkey. */
  askToRegister(owner: KeyOwner): Promise<PublicKeyCredentialCreationOptionsJSON>
  /** Makes the key that the passkey signs in as. Throws `bad_request`, and as `Keys.create`. */
  register(owner: KeyOwner, name: string, made: PasskeyRegistration): Promise<ApiKey>
  /** Resolves to the key that the passkey signs in as. Throws `invalid_token`. */
  check(shown: PasskeyAssertion): Promise<ApiKeyHash>
}

interface Dependencies {
  readonly database: Database
  readonly keys: Keys
  readonly challenges: PasskeyChallenges
  readonly site: () => RelyingParty | undefined
}

/** ES256, RS256 and EdDSA by their COSE numbers: every device has one. Newer ones are experimental in Node. */
const supportedAlgorithmIDs = [-7, -257, -8]

const signingIn = 'sign in'
const registering = ({ accountId }: KeyOwner) => `register for ${accountId}`

/** Loaded when the first person needs it: most gateways see programs only. */
const loadLibrary = () => import('@simplewebauthn/server')

export function createPasskeys(dependencies: Dependencies): Passkeys {
  const { database, challenges, site } = dependencies
  return {
    site,
    async askToSignIn() {
      const { generateAuthenticationOptions } = await loadLibrary()
      return await generateAuthenticationOptions({
        rpID: requireSite(site).id,
        challenge: challenges.issue(signingIn),
        userVerification: 'required',
      })
    },
    async askToRegister(owner) {
      const { generateRegistrationOptions } = await loadLibrary()
      return await generateRegistrationOptions({
        rpID: requireSite(site).id,
        rpName: 'Tollway',
        ...(await describeUser(database, owner)),
        challenge: challenges.issue(registering(owner)),
        attestationType: 'none',
        supportedAlgorithmIDs,
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })
    },
    register: createRegistration(dependencies),
    check: createCheck(dependencies),
  }
}

/**
 * The name under which a device keeps the passkey, and the passkeys that the account has, so that a device makes one
 * only.
 */
async function describeUser(database: Database, { accountId }: KeyOwner) {
  const [account] = await database.query<{ name: string | null; credentialIds: Buffer[] }>(
    `select coalesce(a.owner_email, a.name) as name, array(
       select p.credential_id from passkey p join api_key k on k.id = p.key_id
       where k.account_id = a.id and key_is_valid(k)
     ) as "credentialIds" from account a where a.id = $1`,
    [accountId],
  )
  return {
    userName: account?.name ?? accountId,
    userID: Uint8Array.from(Buffer.from(accountId.replaceAll('-', ''), 'hex')),
    excludeCredentials: (account?.credentialIds ?? []).map((id) => ({
      id: id.toString('base64url'),
    })),
  }
}

function createRegistration({
  database,
  keys,
  challenges,
  site,
}: Dependencies): Passkeys['register'] {
  return async (owner, name, made) => {
    const { id: expectedRPID, origin: expectedOrigin } = requireSite(site)
    let challenge = ''
    const credential = await (async () => {
      await refuseCertificates(made)
      const { verifyRegistrationResponse } = await loadLibrary()
      const { registrationInfo } = await verifyRegistrationResponse({
        response: { ...made, clientExtensionResults: {} } as RegistrationResponseJSON,
        expectedChallenge(sent) {
          challenge = sent
          return challenges.accepts(registering(owner), sent)
        },
        expectedOrigin,
        expectedRPID,
        supportedAlgorithmIDs,
      })
      return registrationInfo?.credential
    })().catch(refuseRegistration)
    if (credential === undefined || !(await challenges.use(challenge))) return refuseRegistration()
    const { transports } = made.response
    return await database.transaction(async (client) => {
      await refuseForeignSignIn(client, owner)
      const { key } = await keys.create(owner, { name }, client)
      await insertPasskey(client, key, { ...credential, transports })
      return { ...key, signsInBy: 'passkey' }
    })
  }
}

async function insertPasskey(
  client: ClientBase,
  { id: keyId }: ApiKey,
  credential: { id: string; publicKey: Uint8Array; counter: number; transports: readonly string[] },
) {
  const { rowCount } = await client.query(
    `insert into passkey (credential_id, key_id, public_key, sign_count, transports) values ($1, $2, $3, $4, $5)
     on conflict do nothing`,
    [
      Buffer.from(credential.id, 'base64url'),
      keyId,
      Buffer.from(credential.publicKey),
      credential.counter,
      credential.transports,
    ],
  )
  if (rowCount === 0) refuseRegistration()
}

/**
 * Throws for a passkey that says with certificates which device made it. They are not asked for, and the library would
 * fetch what the certificates name, past the egress guard.
 */
async function refuseCertificates({ response }: PasskeyRegistration): Promise<void> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers')
  const attestation = decodeAttestationObject(
    Uint8Array.from(Buffer.from(response.attestationObject, 'base64url')),
  )
  const format = attestation.get('fmt')
  const isOfItself = format === 'packed' && attestation.get('attStmt').get('x5c') === undefined
  if (format !== 'none' && !isOfItself)
    throw fail('bad_request', {
      message:
        'The passkey says with certificates which device made it. Make it again with attestation none.',
    })
}

interface PasskeyRow {
  readonly publicKey: Buffer
  readonly signCount: number
  readonly keyHash: Buffer
}

function createCheck({ database, challenges, site }: Dependencies): Passkeys['check'] {
  return async (shown) => {
    const { id: expectedRPID, origin: expectedOrigin } = requireSite(site)
    const id = Buffer.from(shown.id, 'base64url')
    const [passkey] = await database.query<PasskeyRow>(
      `select p.public_key as "publicKey", p.sign_count as "signCount", k.hash as "keyHash"
       from passkey p join api_key k on k.id = p.key_id where p.credential_id = $1 and key_is_valid(k)`,
      [id],
    )
    if (passkey === undefined) return refuseAssertion()
    let challenge = ''
    const { verifyAuthenticationResponse } = await loadLibrary()
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: { ...shown, clientExtensionResults: {} } as AuthenticationResponseJSON,
      expectedChallenge(sent) {
        challenge = sent
        return challenges.accepts(signingIn, sent)
      },
      expectedOrigin,
      expectedRPID,
      credential: {
        id: shown.id,
        publicKey: Uint8Array.from(passkey.publicKey),
        counter: passkey.signCount,
      },
    }).catch(refuseAssertion)
    if (!verified || !(await challenges.use(challenge))) return refuseAssertion()
    // Two answers may be checked at once. Of an authenticator that counts, the higher count is kept.
    await database.query(
      'update passkey set sign_count = greatest(sign_count, $2) where credential_id = $1',
      [id, authenticationInfo.newCounter],
    )
    return hashOfBytes(passkey.keyHash)
  }
}

function requireSite(site: () => RelyingParty | undefined): RelyingParty {
  const found = site()
  if (found !== undefined) return found
  throw fail('unavailable', {
    message:
      'This gateway has no passkeys, because browsers use them only at a domain name with TLS. Its operator sets PUBLIC_BASE_URL.',
  })
}

function refuseRegistration(cause?: unknown): never {
  if (cause instanceof CallError) throw cause
  throw fail('bad_request', {
    message: 'The passkey was not accepted. Ask for new options and make it again.',
    cause,
  })
}

function refuseAssertion(cause?: unknown): never {
  throw fail('invalid_token', {
    message: 'This passkey does not sign in here. Use another way to sign in, or try again.',
    cause,
  })
}
