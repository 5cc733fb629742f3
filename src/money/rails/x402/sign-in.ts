// sign-in-with-x: a wallet signs a message that says where it signs in, instead of a payment of nothing.
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import {
  declareSIWxExtension,
  parseSIWxHeader,
  SIGN_IN_WITH_X,
  validateSIWxMessage,
  verifySIWxSignature,
} from '@x402/extensions/sign-in-with-x'
import { hashMessage } from 'viem'
import type { Clock } from '#core/ports.ts'
import { ChainUnavailable, lowerCase } from '../../chains/chain.ts'
import { chainAway, type Demand, PaymentRefusal, type WalletProof } from '../rail.ts'
import type { ContractSignatures } from './contract-signatures.ts'
import { readKeySignature, recoverAddress } from './signature.ts'

const lifetimeMs = 300_000
const timeCharacters = 12
const macCharacters = 32
const noncePattern = /^[0-9a-f]{60}$/
const keySignatureCharacters = 2 + 2 * 65

export interface SignIn {
  /** The extension of a challenge that is answered by signing in. */
  offer(demand: Demand): Record<string, unknown>
  /** Throws a PaymentRefusal. */
  prove(header: string, demand: Demand, source: string): Promise<WalletProof>
}

export function createSignIn(room: {
  clock: Clock
  network: `eip155:${number}`
  baseUrl: () => string
  contracts: ContractSignatures
  signInKey: string
}): SignIn {
  const { clock, network, baseUrl, contracts, signInKey } = room

  const sign = (nonce: string) =>
    createHmac('sha256', signInKey).update(nonce).digest('hex').slice(0, macCharacters)

  /** Says when it ends and that it was issued here, so that nothing is stored before it is used. */
  function issueNonce(expiresAtMs: number): string {
    const nonce =
      expiresAtMs.toString(16).padStart(timeCharacters, '0') + randomBytes(8).toString('hex')
    return nonce + sign(nonce)
  }

  function isIssued(nonce: string): boolean {
    if (!noncePattern.test(nonce)) return false
    const [issued, mac] = [nonce.slice(0, -macCharacters), nonce.slice(-macCharacters)]
    return (
      timingSafeEqual(Buffer.from(mac), Buffer.from(sign(issued))) &&
      Number.parseInt(issued.slice(0, timeCharacters), 16) > clock.now()
    )
  }

  /** Who has signed the message: a key, whose address is the same everywhere, or a contract of this chain. */
  async function ownerOf(payload: Parsed, source: string): Promise<string | undefined> {
    const address = lowerCase(payload.address)
    let owner: string | undefined
    let failure: unknown
    const verified = await verifySIWxSignature(payload, {
      async evmVerifier({ message, signature }) {
        const digest = hashMessage(message)
        const signed = lowerCase(String(signature))
        const byKey = readKeySignature(signed)
        if (byKey && recoverAddress(byKey, Buffer.from(digest.slice(2), 'hex')) === address) {
          owner = address
          return true
        }
        if (byKey === undefined && signed.length <= keySignatureCharacters) return false
        try {
          owner = `${network}:${address}`
          return await contracts.isValid(address, digest, signed, source)
        } catch (thrown) {
          // The library would take it for a no.
          failure = thrown
          return false
        }
      },
    })
    if (failure instanceof ChainUnavailable) chainAway(failure)
    if (failure !== undefined) throw failure
    return verified.isValid ? owner : undefined
  }

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
        nonce: issueNonce(clock.now() + lifetimeMs),
        issuedAt: new Date(clock.now()).toISOString(),
        expirationTime: new Date(clock.now() + lifetimeMs).toISOString(),
        resources: [uri],
      }
      return { [SIGN_IN_WITH_X]: { info, supportedChains, schema } }
    },
    async prove(header, { path }, source) {
      const payload = read(header)
      const uri = baseUrl() + path
      if (payload.uri !== uri || payload.chainId !== network)
        throw new PaymentRefusal('The sign-in was made for another address or chain.')
      const valid = await validateSIWxMessage(payload, new URL(uri), { maxAge: lifetimeMs })
      if (!valid.isValid)
        throw new PaymentRefusal('The sign-in has expired, or names another host.')
      if (!isIssued(payload.nonce))
        throw new PaymentRefusal('The nonce of the sign-in was not issued here, or has expired.')
      const wallet = await ownerOf(payload, source)
      if (wallet === undefined)
        throw new PaymentRefusal('The signature of the sign-in is not its wallet’s.')
      return {
        claimKey: `siwx:${payload.nonce}`,
        wallet,
        expiresAtMs: clock.now() + lifetimeMs,
      }
    },
  }
}

type Parsed = ReturnType<typeof parseSIWxHeader>

function read(header: string): Parsed {
  try {
    return parseSIWxHeader(header)
  } catch (cause) {
    throw new PaymentRefusal('The Sign-In-With-X header cannot be read.', { cause })
  }
}
