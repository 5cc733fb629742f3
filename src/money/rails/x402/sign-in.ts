// sign-in-with-x: a wallet that owes nothing signs a message with the address where it signs in.
import {
  declareSIWxExtension,
  parseSIWxHeader,
  SIGN_IN_WITH_X,
  validateSIWxMessage,
  verifySIWxSignature,
} from '@x402/extensions/sign-in-with-x'
import { hashMessage } from 'viem'
import type { Clock } from '#core/ports.ts'
import { ChainUnavailable, type Hex, lowerCase } from '../../chains/chain.ts'
import { chainAway, type Demand, PaymentRefusal, type WalletProof } from '../rail.ts'
import type { ContractSignatures } from './contract-signatures.ts'
import { createSignInNonces } from './sign-in-nonces.ts'
import { readKeySignature, recoverAddress } from './signature.ts'

const lifetimeMs = 300_000
/** Of a key's signature in hexadecimal: 0x and 65 bytes. */
const keySignatureCharacters = 2 + 2 * 65

export interface SignIn {
  /** The extension of a challenge that a wallet answers by signing in. */
  offer(demand: Demand): Record<string, unknown>
  /** Throws a PaymentRefusal. */
  prove(header: string, demand: Demand, source: string): Promise<WalletProof>
}

export function createSignIn(dependencies: {
  clock: Clock
  network: `eip155:${number}`
  baseUrl: () => string
  contracts: ContractSignatures
  signInKey: string
}): SignIn {
  const { clock, network, baseUrl, contracts, signInKey } = dependencies
  const nonces = createSignInNonces(signInKey)

  return {
    offer({ path }) {
      const nowMs = clock.now()
      const expiresAtMs = nowMs + lifetimeMs
      const uri = baseUrl() + path
      const info = {
        domain: new URL(uri).host,
        uri,
        version: '1',
        nonce: nonces.issue(expiresAtMs),
        issuedAt: new Date(nowMs).toISOString(),
        expirationTime: new Date(expiresAtMs).toISOString(),
        resources: [uri],
      }
      return { [SIGN_IN_WITH_X]: { info, ...declared(network) } }
    },
    async prove(header, { path }, source) {
      const payload = read(header)
      const uri = baseUrl() + path
      if (payload.uri !== uri || payload.chainId !== network)
        throw new PaymentRefusal('The sign-in was made for another address or chain.')
      const valid = await validateSIWxMessage(payload, new URL(uri), { maxAge: lifetimeMs })
      if (!valid.isValid)
        throw new PaymentRefusal('The sign-in has expired, or names another host.')
      if (!nonces.isValid(payload.nonce, clock.now()))
        throw new PaymentRefusal('The nonce of the sign-in was not issued here, or has expired.')
      const wallet = await signerOf(payload, (from, digest, signature) =>
        contracts.isValid(from, digest, signature, source),
      )
      if (wallet === undefined)
        throw new PaymentRefusal('The signature of the sign-in is not its wallet’s.')
      return { claimKey: `siwx:${payload.nonce}`, wallet, expiresAtMs: clock.now() + lifetimeMs }
    },
  }
}

/** The constant parts of the extension, as the library declares them. */
function declared(network: `eip155:${number}`) {
  const extensions = declareSIWxExtension({ network }) as Record<
    string,
    { supportedChains: unknown; schema: unknown }
  >
  const { supportedChains, schema } = extensions[SIGN_IN_WITH_X] ?? {}
  return { supportedChains, schema }
}

type Parsed = ReturnType<typeof parseSIWxHeader>
type ContractAgrees = (address: Hex, digest: Hex, signature: Hex) => Promise<boolean>

/**
 * The wallet that signed the message, or undefined. A key has the same address on every chain and is named by it alone;
 * a contract is named with its chain.
 */
async function signerOf(payload: Parsed, agrees: ContractAgrees): Promise<string | undefined> {
  const address = lowerCase(payload.address)
  let signer: string | undefined
  let failure: unknown
  const verified = await verifySIWxSignature(payload, {
    async evmVerifier({ message, signature }) {
      const digest = hashMessage(message)
      const signed = lowerCase(String(signature))
      const kind = kindOf(signed, digest, address)
      if (kind === 'key') signer = address
      if (kind !== 'contract') return kind === 'key'
      signer = `${payload.chainId}:${address}`
      try {
        return await agrees(address, digest, signed)
      } catch (thrown) {
        // The library would read an error as an invalid signature.
        failure = thrown
        return false
      }
    },
  })
  if (failure instanceof ChainUnavailable) chainAway(failure)
  if (failure !== undefined) throw failure
  return verified.isValid ? signer : undefined
}

/** `key`: the key of this address signed. `contract`: only a contract at this address can tell. */
function kindOf(signature: Hex, digest: Hex, address: Hex): 'key' | 'contract' | 'invalid' {
  const byKey = readKeySignature(signature)
  if (byKey && recoverAddress(byKey, Buffer.from(digest.slice(2), 'hex')) === address) return 'key'
  const isShort = signature.length <= keySignatureCharacters
  return byKey === undefined && isShort ? 'invalid' : 'contract'
}

function read(header: string): Parsed {
  try {
    return parseSIWxHeader(header)
  } catch (cause) {
    throw new PaymentRefusal('The Sign-In-With-X header cannot be read.', { cause })
  }
}
