// Reads the refusals of nodes and tokens. Each client words them differently; wording that no list contains stays
// unknown.
import { decodeErrorResult, parseAbi } from 'viem'
import type { Broadcast, Hex, RefusalReason } from './chain.ts'
import { ChainUnavailable } from './chain.ts'
import { type RpcFailure, type RpcReply, resultOf } from './rpc.ts'

const known =
  /already known|already imported|known transaction|alreadyknown|already exists|tx already in mempool/i

/** The order matters: the first pattern that matches is the most specific. */
const said: readonly (readonly [RegExp, RefusalReason])[] = [
  [
    /authorization is used|authorization.*cancell?ed|InvalidNonce|nonce_?already_?used|expiring nonce.*(seen|used|replay)|ExpiringNonceReplay/i,
    'nonce_used',
  ],
  [
    /authorization is expired|SignatureExpired|valid_?before|transaction expired|InvalidExpiringNonceExpiry/i,
    'expired',
  ],
  [/not yet valid|valid_?after|PaymentTooEarly/i, 'not_yet_valid'],
  [/invalid signature|ECRecover|InvalidSignature|InvalidSigner/i, 'invalid_signature'],
  [/blacklist|blocked|PolicyForbids/i, 'blocked'],
  [/paused/i, 'paused'],
  [/exceeds balance|InsufficientBalance|insufficient balance/i, 'insufficient_balance'],
  [
    /insufficient funds|insufficient fee|fee token balance|insufficient liquidity|for gas/i,
    'insufficient_gas',
  ],
  [/nonce too low|nonce is too low|OldNonce|invalid nonce/i, 'nonce_too_low'],
  [
    /underpriced|fee cap|max fee per gas less than|feetoolow|fee too low|less than block base fee/i,
    'fee_too_low',
  ],
]

const errors = parseAbi([
  'error Error(string)',
  'error InsufficientBalance(uint256 available, uint256 required, address token)',
  'error InsufficientAllowance()',
  'error PolicyForbids()',
  'error ContractPaused()',
  'error InvalidRecipient()',
  'error InvalidNonce()',
  'error InvalidSigner()',
  'error SignatureExpired(uint256 deadline)',
  'error PaymentTooEarly()',
])

function wordsOf({ message, data }: RpcFailure): string {
  if (data === undefined || data === '0x') return message
  try {
    const { errorName, args } = decodeErrorResult({ abi: errors, data })
    return errorName === 'Error' ? String(args[0]) : errorName
  } catch {
    return message
  }
}

function reasonOf(failure: RpcFailure): RefusalReason | undefined {
  const words = wordsOf(failure)
  return said.find(([pattern]) => pattern.test(words))?.[1]
}

/** Why the contract refused, or undefined when the node could not tell. */
function readRevert(failure: RpcFailure): RefusalReason | undefined {
  const reason = reasonOf(failure)
  if (reason !== undefined) return reason
  const reverted =
    failure.code === 3 || failure.data !== undefined || /revert/i.test(failure.message)
  return reverted ? 'reverted' : undefined
}

/** The result of a simulation, or why it is refused. Throws ChainUnavailable when the node could not tell. */
export function readSimulation(
  reply: RpcReply | undefined,
  method: 'eth_call' | 'eth_estimateGas',
): { readonly result: Hex } | { readonly reason: RefusalReason } {
  if (reply !== undefined && 'result' in reply) return { result: resultOf(reply, method) }
  const reason = reply === undefined ? undefined : readRevert(reply.failure)
  if (reason === undefined)
    throw new ChainUnavailable(`The chain's node could not tell (${method}).`)
  return { reason }
}

/** What a node did with a transaction. Throws ChainUnavailable when the node's wording is unknown. */
export function readBroadcast(reply: RpcReply | undefined): Broadcast {
  if (reply === undefined) throw new ChainUnavailable("The chain's node gave no answer.")
  if ('result' in reply) return { outcome: 'accepted' }
  if (known.test(reply.failure.message)) return { outcome: 'known' }
  const reason = reasonOf(reply.failure)
  if (reason === undefined) {
    throw new ChainUnavailable(
      `The chain's node did not say what became of a transaction (error ${reply.failure.code}).`,
    )
  }
  return { outcome: 'refused', reason }
}
