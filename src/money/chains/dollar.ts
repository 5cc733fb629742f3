// The parts of a dollar token that payments use: EIP-3009 calls and the logs that prove a transfer.
import {
  concat,
  encodeFunctionData,
  keccak256,
  pad,
  parseAbi,
  parseErc6492Signature,
  stringToHex,
  toEventSelector,
} from 'viem'
import type { Hex, Receipt, Transfer } from './chain.ts'
import { lowerCase } from './chain.ts'

export interface Authorization {
  readonly from: Hex
  readonly to: Hex
  readonly value: bigint
  /** Whole seconds; valid strictly after the first and strictly before the second. */
  readonly validAfter: bigint
  readonly validBefore: bigint
  readonly nonce: Hex
}

export interface SignedAuthorization {
  readonly authorization: Authorization
  /** A key's signature has 65 bytes and ends in 27 or 28. Any other is a contract's. */
  readonly signature: Hex
}

export const dollarAbi = parseAbi([
  'function balanceOf(address) view returns (uint256)',
  'function authorizationState(address, bytes32) view returns (bool)',
  'function DOMAIN_SEPARATOR() view returns (bytes32)',
])
// Older tokens have only the first function. Both share one name, so each has an ABI of its own.
const byKey = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, uint8 v, bytes32 r, bytes32 s)',
])
const byContract = parseAbi([
  'function transferWithAuthorization(address from, address to, uint256 value, uint256 validAfter, uint256 validBefore, bytes32 nonce, bytes signature)',
])
const keySignatureDigits = 65 * 2

/** The call that carries out an authorization. A wallet with an ERC-6492 signature must be deployed by now. */
export function encodeTransfer({ authorization, signature: signed6492 }: SignedAuthorization): Hex {
  const { signature } = parseErc6492Signature(signed6492)
  const { from, to, value, validAfter, validBefore, nonce } = authorization
  const signed = [from, to, value, validAfter, validBefore, nonce] as const
  if (signature.length !== keySignatureDigits + 2) {
    return encodeFunctionData({ abi: byContract, args: [...signed, signature] })
  }
  const r: Hex = `0x${signature.slice(2, 66)}`
  const s: Hex = `0x${signature.slice(66, 130)}`
  return encodeFunctionData({
    abi: byKey,
    args: [...signed, Number(`0x${signature.slice(130)}`), r, s],
  })
}

export const authorizationTypes = {
  TransferWithAuthorization: [
    { name: 'from', type: 'address' },
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'validAfter', type: 'uint256' },
    { name: 'validBefore', type: 'uint256' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

/** The name of one refund on every chain: the nonce of its authorization, or the memo of its transfer. */
export const refundName = (refundId: string): Hex => keccak256(stringToHex(`refund:${refundId}`))

export const transferTopic = toEventSelector('Transfer(address,address,uint256)')
export const authorizationUsedTopic = toEventSelector('AuthorizationUsed(address,bytes32)')
export const authorizationCancelledTopic = toEventSelector('AuthorizationCanceled(address,bytes32)')
export const memoTopic = toEventSelector('TransferWithMemo(address,address,uint256,bytes32)')

export interface RpcLog {
  readonly address: string
  readonly topics: readonly string[]
  readonly data: string
  readonly transactionHash: string
  readonly blockNumber: string
}

export interface RpcReceipt {
  readonly transactionHash: string
  readonly status: string
  readonly blockNumber: string
  readonly logs: readonly RpcLog[]
}

export const topicOf = (address: Hex): Hex => pad(lowerCase(address), { size: 32 })
const addressIn = (topic: string | undefined): Hex => lowerCase(`0x${(topic ?? '').slice(-40)}`)

/** The transfer in a log, or undefined when the log records something else. */
export function readTransfer({ address, topics, data }: RpcLog): Transfer | undefined {
  if (topics[0] !== transferTopic || topics.length !== 3) return undefined
  const [from, to] = [addressIn(topics[1]), addressIn(topics[2])]
  return { token: lowerCase(address), from, to, amount: BigInt(data) }
}

/**
 * A token logs AuthorizationUsed directly before its Transfer, and TransferWithMemo directly after its Transfer. One
 * transaction may hold many payments, so only adjacent logs belong together.
 */
export function readReceipt(receipt: RpcReceipt): Receipt {
  const transfers = receipt.logs.flatMap((log, place) => {
    const transfer = readTransfer(log)
    if (transfer === undefined) return []
    const sameToken = (other: RpcLog | undefined) => other?.address.toLowerCase() === transfer.token
    const before = receipt.logs[place - 1]
    const after = receipt.logs[place + 1]
    const nonce =
      sameToken(before) &&
      before?.topics[0] === authorizationUsedTopic &&
      addressIn(before.topics[1]) === transfer.from
        ? before.topics[2]
        : undefined
    const memo =
      sameToken(after) &&
      after?.topics[0] === memoTopic &&
      addressIn(after.topics[1]) === transfer.from &&
      addressIn(after.topics[2]) === transfer.to
        ? after.topics[3]
        : undefined
    return [
      {
        ...transfer,
        ...(nonce === undefined ? {} : { authorizationNonce: lowerCase(nonce) }),
        ...(memo === undefined ? {} : { memo: lowerCase(memo) }),
      },
    ]
  })
  return {
    hash: lowerCase(receipt.transactionHash),
    status: receipt.status === '0x1' ? 'success' : 'reverted',
    blockNumber: BigInt(receipt.blockNumber),
    transfers,
  }
}

/**
 * Whether this transaction carried out this authorization. Another authorization with the same nonce does not count.
 */
export function carriesOut(receipt: Receipt, token: Hex, authorization: Authorization): boolean {
  return (
    receipt.status === 'success' &&
    receipt.transfers.some(
      (transfer) =>
        transfer.token === lowerCase(token) &&
        transfer.from === lowerCase(authorization.from) &&
        transfer.to === lowerCase(authorization.to) &&
        transfer.amount === authorization.value &&
        transfer.authorizationNonce === lowerCase(authorization.nonce),
    )
  )
}

const domainTypeHash = keccak256(
  stringToHex('EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)'),
)

export function domainSeparator(domain: {
  name: string
  version: string
  chainId: number
  asset: Hex
}): Hex {
  return keccak256(
    concat([
      domainTypeHash,
      keccak256(stringToHex(domain.name)),
      keccak256(stringToHex(domain.version)),
      pad(`0x${domain.chainId.toString(16)}`, { size: 32 }),
      topicOf(domain.asset),
    ]),
  )
}
