// Payments that no honest client would send, made from those of honest clients.

import { setTimeout as delay } from 'node:timers/promises'
import { Challenge } from 'mppx'
import { Methods } from 'mppx/tempo'
import {
  concat,
  createClient,
  encodeFunctionData,
  http,
  keccak256,
  publicActions,
  size,
  slice,
  stringToHex,
  toHex,
} from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { prepareTransactionRequest, signTransaction } from 'viem/actions'
import { tempo as tempoChain } from 'viem/chains'
import { Abis, Account, tempoActions } from 'viem/tempo'
import { encodeTransfer } from '#money/chains/dollar.ts'
import type { PaymentRequirements } from '#money/rails/x402/payment.ts'
import {
  signPayment,
  toHeader,
  type WrittenPayment,
} from '#money/rails/x402/sign-payment.fixture.ts'
import type { Chains } from '#test/chains/chains.ts'
import type { Wallet } from '#test/chains/local-chain.ts'
import type { PaidGateway } from './paid-gateway.ts'
import { challenge, type Headers } from './payers.ts'

type Hex = `0x${string}`

/** An x402 payment for this request that differs from the challenge. */
export async function forgeX402(
  gateway: PaidGateway,
  action: string,
  body: unknown,
  change: Omit<Partial<Parameters<typeof signPayment>[0]>, 'requirements' | 'nowS'> & {
    /** Before it is signed. */
    readonly terms?: Partial<PaymentRequirements>
    /** After it is signed. */
    readonly written?: (payment: WrittenPayment) => unknown
  } = {},
): Promise<Headers> {
  const asked = await challenge(gateway, action, body)
  const required = Buffer.from(asked.headers.get('payment-required') ?? '', 'base64').toString()
  const [requirements] = JSON.parse(required).accepts as PaymentRequirements[]
  if (requirements === undefined) throw new Error('x402 is not asked for.')
  const payment = await signPayment({
    key: gateway.chains.wallets.payer.privateKey,
    nowS: Math.floor(Date.now() / 1_000),
    ...change,
    requirements: { ...requirements, ...change.terms },
  })
  return { 'payment-signature': toHeader(change.written?.(payment) ?? payment) }
}

export interface WireCredential {
  challenge: Record<string, string>
  source?: string
  payload: Record<string, unknown>
}

export function readMpp(headers: Headers): WireCredential {
  return decode((headers.authorization ?? '').split(' ')[1])
}

/** The x402 payment of a request. The case of the header's name does not matter. */
export function readX402(headers: Headers): WrittenPayment {
  return decode(Object.values(headers)[0])
}

/** An MPP credential, changed on the wire. */
export function forgeMpp(headers: Headers, change: (credential: WireCredential) => void): Headers {
  const wire = readMpp(headers)
  change(wire)
  return { authorization: `Payment ${Buffer.from(JSON.stringify(wire)).toString('base64url')}` }
}

export const decode = (text = '') => JSON.parse(Buffer.from(text, 'base64url').toString())
export const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** The challenge that the gateway would have written at another time or with another secret. */
export function writeChallenge(
  like: Record<string, string>,
  change: { secretKey: string; expires: string },
): Record<string, string> {
  const { amount, currency, recipient, methodDetails } = decode(like.request)
  const written = Challenge.fromMethod(Methods.charge, {
    realm: like.realm ?? '',
    digest: like.digest,
    meta: decode(like.opaque),
    request: {
      amount: String(Number(amount) / 1e6),
      decimals: 6,
      currency,
      recipient,
      chainId: methodDetails.chainId,
      supportedModes: methodDetails.supportedModes,
    },
    ...change,
  } as never) as unknown as { id: string }
  return { ...like, expires: change.expires, id: written.id }
}

export function tempoClient(chains: Chains, wallet: Wallet) {
  return createClient({
    account: Account.fromSecp256k1(wallet.privateKey),
    chain: { ...tempoChain, feeToken: chains.mpp.asset },
    transport: http(chains.mpp.rpcUrl),
    pollingInterval: 25,
  })
    .extend(publicActions)
    .extend(tempoActions())
}

/** A transaction of this wallet, signed in the same way as by its client. */
export async function signCalls(
  chains: Chains,
  wallet: Wallet,
  calls: readonly { to: Hex; data: Hex }[],
  validForS: number | null,
  change: { readonly nonceKey?: bigint; readonly nonce?: number } = {},
): Promise<Hex> {
  const client = tempoClient(chains, wallet)
  const nowS = Math.floor(Date.now() / 1_000)
  const prepared = await prepareTransactionRequest(client, {
    calls,
    nonceKey: 'expiring',
    validBefore: nowS + 25,
  } as never)
  return await signTransaction(client, {
    ...(prepared as object),
    gas: 1_000_000n,
    validBefore: validForS === null ? undefined : nowS + validForS,
    ...change,
  } as never)
}

export function transferWithMemo(chains: Chains, to: Hex, amount: bigint, memo: Hex) {
  const data = encodeFunctionData({
    abi: Abis.tip20,
    functionName: 'transferWithMemo',
    args: [to, amount, memo],
  })
  return { to: chains.mpp.asset, data }
}

/** The memo that an MPP client writes into its transfer: see `tempo/Attribution` of mppx. */
export function attributionMemo(challengeId: string, serverId: string): Hex {
  const named = (text: string, bytes: number) => slice(keccak256(stringToHex(text)), 0, bytes)
  const anonymous = '0x00000000000000000000'
  return concat([named('mpp', 4), '0x01', named(serverId, 10), anonymous, named(challengeId, 7)])
}

/** Anyone may carry out authorizations, even several in one transaction. */
export async function carryOutTogether({ x402, wallets }: Chains, signed: readonly Headers[]) {
  const calls = signed.map((headers) => {
    const { authorization, signature } = readX402(headers).payload
    const { from, to, nonce, ...numbers } = authorization
    return encodeTransfer({
      signature: signature as Hex,
      authorization: {
        from: from as Hex,
        to: to as Hex,
        nonce: nonce as Hex,
        value: BigInt(numbers.value ?? 0),
        validAfter: BigInt(numbers.validAfter ?? 0),
        validBefore: BigInt(numbers.validBefore ?? 0),
      },
    })
  })
  const word = (value: number) => value.toString(16).padStart(4, '0')
  const length = size(calls[0] ?? '0x')
  // Copies its call data and calls the token with each part: CALLDATACOPY, then CALL and POP for each.
  const parts = calls.map(
    (_, place) =>
      `6000600061${word(length)}61${word(place * length)}600073${x402.asset.slice(2)}5af150`,
  )
  const carrier = '0x00000000000000000000000000000000ca221e25'
  await x402.rpc('anvil_setCode', [
    carrier,
    `0x61${word(length * calls.length)}6000600037${parts.join('')}00`,
  ])
  const from = wallets.otherPayer.address
  await x402.rpc('eth_sendTransaction', [
    { from, to: carrier, data: concat(calls), gas: toHex(1_000_000) },
  ])
  await x402.mine()
}

/** Cancels the payer's authorization on the chain. */
export async function cancelAuthorization(chains: Chains, wallet: Wallet, nonce: Hex) {
  const { x402 } = chains
  const signature = await privateKeyToAccount(wallet.privateKey).signTypedData({
    domain: { name: 'USDC', version: '2', chainId: x402.chainId, verifyingContract: x402.asset },
    types: {
      CancelAuthorization: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
      ],
    },
    primaryType: 'CancelAuthorization',
    message: { authorizer: wallet.address, nonce },
  })
  const abi = [
    {
      type: 'function',
      name: 'cancelAuthorization',
      stateMutability: 'nonpayable',
      inputs: [
        { name: 'authorizer', type: 'address' },
        { name: 'nonce', type: 'bytes32' },
        { name: 'signature', type: 'bytes' },
      ],
      outputs: [],
    },
  ] as const
  const data = encodeFunctionData({ abi, args: [wallet.address, nonce, signature] })
  await x402.rpc('anvil_setBalance', [wallet.address, '0x56bc75e2d63100000'])
  const from = chains.wallets.otherPayer.address
  const hash = await x402.rpc('eth_sendTransaction', [{ from, to: x402.asset, data }])
  for (let tries = 0; tries < 200; tries += 1) {
    const receipt = await x402.rpc('eth_getTransactionReceipt', [hash])
    if (receipt?.status === '0x1') return
    await delay(20)
  }
  throw new Error('The authorization was not cancelled.')
}
