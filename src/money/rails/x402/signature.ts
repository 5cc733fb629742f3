// Finds the signer of an EIP-3009 authorization. An attacker can make the gateway do this without paying, so it uses
// the native curve directly, at a tenth of the usual library's cost. `npm run bench signatures` measures it.
import { Buffer } from 'node:buffer'
import { createRequire } from 'node:module'
import { secp256k1 as noble } from '@noble/curves/secp256k1.js'
import { keccak_256 } from '@noble/hashes/sha3.js'
import type { Hex } from '../../chains/chain.ts'
import { type Authorization, domainSeparator } from '../../chains/dollar.ts'

type Recover = (signature: Uint8Array, recovery: number, digest: Uint8Array) => Uint8Array

/** The native binding throws on platforms without a binary; those use the script. */
const recover: Recover = (() => {
  try {
    const native = createRequire(import.meta.url)('secp256k1/bindings.js') as {
      ecdsaRecover(
        signature: Uint8Array,
        recovery: number,
        digest: Uint8Array,
        compressed: boolean,
      ): Uint8Array
    }
    return (signature, recovery, digest) => native.ecdsaRecover(signature, recovery, digest, false)
  } catch {
    return recoverInScript
  }
})()

export function recoverInScript(
  signature: Uint8Array,
  recovery: number,
  digest: Uint8Array,
): Uint8Array {
  return noble.Signature.fromBytes(signature, 'compact')
    .addRecoveryBit(recovery)
    .recoverPublicKey(digest)
    .toBytes(false)
}

const typeHash = Buffer.from(
  keccak_256(
    Buffer.from(
      'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
    ),
  ),
)

export interface SigningDomain {
  readonly name: string
  readonly version: string
  readonly chainId: number
  readonly asset: Hex
}

/** One entry for each token that the operator accepts, so it does not grow. */
const separators = new Map<string, Buffer>()

function separatorOf(domain: SigningDomain): Buffer {
  const name = `${domain.chainId}:${domain.asset}:${domain.name}:${domain.version}`
  const kept = separators.get(name)
  if (kept !== undefined) return kept
  const made = Buffer.from(domainSeparator(domain).slice(2), 'hex')
  separators.set(name, made)
  return made
}

const word = 32
const addressBytes = 20

/** The EIP-712 digest that the payer signs. */
export function authorizationDigest(domain: SigningDomain, authorization: Authorization): Buffer {
  const struct = Buffer.alloc(7 * word)
  typeHash.copy(struct)
  struct.write(authorization.from.slice(2), 2 * word - addressBytes, 'hex')
  struct.write(authorization.to.slice(2), 3 * word - addressBytes, 'hex')
  const numbers = [authorization.value, authorization.validAfter, authorization.validBefore]
  for (const [place, number] of numbers.entries()) {
    struct.write(number.toString(16).padStart(2 * word, '0'), (3 + place) * word, 'hex')
  }
  struct.write(authorization.nonce.slice(2), 6 * word, 'hex')
  const signed = Buffer.alloc(2 + 2 * word)
  signed[0] = 0x19
  signed[1] = 0x01
  separatorOf(domain).copy(signed, 2)
  signed.set(keccak_256(struct), 2 + word)
  return Buffer.from(keccak_256(signed))
}

/** Half of the curve's order. Every signature has a second form above it, which tokens refuse. */
const halfOrder = Buffer.from(
  '7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0',
  'hex',
)
const keySignatureBytes = 65

/** A key's signature with the last byte that tokens expect. Undefined for any other form of signature. */
export function readKeySignature(
  signature: Hex,
): { readonly compact: Buffer; readonly recovery: 0 | 1; readonly normal: Hex } | undefined {
  if (signature.length !== 2 + 2 * keySignatureBytes) return undefined
  const bytes = Buffer.from(signature.slice(2), 'hex')
  const last = bytes[keySignatureBytes - 1] ?? 0
  const recovery = last >= 27 ? last - 27 : last
  if (recovery !== 0 && recovery !== 1) return undefined
  const compact = bytes.subarray(0, 2 * word)
  if (compact.compare(halfOrder, 0, word, word, 2 * word) > 0) return undefined
  return {
    compact,
    recovery,
    normal: `0x${compact.toString('hex')}${recovery === 0 ? '1b' : '1c'}`,
  }
}

/** The address whose key signed the digest, or undefined when no key did. */
export function recoverAddress(
  { compact, recovery }: { compact: Buffer; recovery: 0 | 1 },
  digest: Buffer,
  recoverKey: Recover = recover,
): Hex | undefined {
  try {
    const key = recoverKey(compact, recovery, digest)
    const hash = Buffer.from(keccak_256(key.subarray(1)))
    return `0x${hash.toString('hex', word - addressBytes)}`
  } catch {
    return undefined
  }
}
