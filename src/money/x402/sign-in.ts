// sign-in-with-x: a wallet signs a message that says where it signs in, instead of a payment of nothing.
import { randomBytes } from 'node:crypto'
import {
  declareSIWxExtension,
  parseSIWxHeader,
  SIGN_IN_WITH_X,
  validateSIWxMessage,
  verifySIWxSignature,
} from '@x402/extensions/sign-in-with-x'
import type { Clock } from '#core/ports.ts'
import { type Demand, PaymentRefusal, type WalletProof } from '../payments/rail.ts'

const lifetimeMs = 300_000

export interface SignIn {
  /** The extension of a challenge that is answered by signing in. */
  offer(demand: Demand): Record<string, unknown>
  /** Throws a PaymentRefusal. */
  prove(header: string, demand: Demand): Promise<WalletProof>
}

export function createSignIn(room: {
  clock: Clock
  network: `eip155:${number}`
  baseUrl: () => string
}): SignIn {
  const { clock, network, baseUrl } = room

  return {
    offer({ path }) {
      const uri = baseUrl() + path
      const declared = declareSIWxExtension({ network }) as Record<
        string,
        { supportedChains: unknown; schema: unknown }
      >
      const { supportedChains, schema } = declared[SIGN_IN_WITH_X] ?? {}
      const info = {
        domain: new URL(uri).host,
        uri,
        version: '1',
        nonce: randomBytes(16).toString('hex'),
        issuedAt: new Date(clock.now()).toISOString(),
        expirationTime: new Date(clock.now() + lifetimeMs).toISOString(),
        resources: [uri],
      }
      return { [SIGN_IN_WITH_X]: { info, supportedChains, schema } }
    },
    async prove(header, { path }) {
      const payload = read(header)
      const uri = baseUrl() + path
      if (payload.uri !== uri || payload.chainId !== network)
        throw new PaymentRefusal('The sign-in was made for another address or chain.')
      const valid = await validateSIWxMessage(payload, new URL(uri), { maxAge: lifetimeMs })
      if (!valid.isValid)
        throw new PaymentRefusal('The sign-in has expired, or names another host.')
      const verified = await verifySIWxSignature(payload)
      if (!verified.isValid)
        throw new PaymentRefusal('The signature of the sign-in is not its wallet’s.')
      const wallet = verified.payer.toLowerCase()
      return {
        claimKey: `siwx:${wallet}:${payload.nonce}`,
        wallet,
        expiresAtMs: clock.now() + lifetimeMs,
      }
    },
  }
}

function read(header: string): ReturnType<typeof parseSIWxHeader> {
  try {
    return parseSIWxHeader(header)
  } catch (cause) {
    throw new PaymentRefusal('The Sign-In-With-X header cannot be read.', { cause })
  }
}
