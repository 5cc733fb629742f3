// The operator's wallet as a buyer over MPP, method tempo, intent charge, pull mode: it signs a transfer that the seller
// sends. The library writes what goes over the wire; before it leaves, it is checked that it moves the price and no more.
import { Challenge, Credential } from 'mppx'
import { tempo } from 'mppx/client'
import { createClient, custom, decodeFunctionData, encodeFunctionData, erc20Abi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { Abis, Transaction } from 'viem/tempo'
import { tempo as tempoMainnet } from 'viem/tempo/chains'
import { z } from 'zod'
import { CallError, fail } from '#core/errors.ts'
import type { Clock, HttpReply, Log } from '#core/ports.ts'
import type { PayingWallet } from '#platform/http/upstream-wallet.ts'
import type { Hex } from '../../chains/chain.ts'
import { createRpc } from '../../chains/rpc.ts'
import { readTempoTransaction } from '../../chains/tempo-transaction.ts'
import type { WalletDependencies } from '../definition.ts'
import type { MppSettings } from './settings.ts'

/** A challenge that is about to expire is not worth a signature. */
const expiryMarginMs = 5_000

/** The most that a transfer may cost beside its amount, whatever the node says of fees, in micros. */
const feeMicrosMax = 100_000
/** Fees are counted in millionths of a millionth of a micro-dollar for each unit of gas. */
const feeUnitsPerMicro = 1_000_000_000_000n

/** A seller may name the header that it wants; none of its choice may stand in for another. */
const headerShape = /^([a-z]+-)?authorization$/i

const address = z
  .string()
  .regex(/^0x[0-9a-fA-F]{40}$/)
  .transform((text) => text.toLowerCase())
const charge = z.looseObject({
  amount: z.string().regex(/^[1-9]\d{0,14}$/),
  currency: address,
  recipient: address,
  methodDetails: z
    .looseObject({
      chainId: z.number().optional(),
      feePayer: z.boolean().default(false),
      supportedModes: z.array(z.string()).default(['pull', 'push']),
    })
    .prefault({}),
})

export function openMppPayingWallet({
  settings,
  ...dependencies
}: WalletDependencies<MppSettings>): PayingWallet | undefined {
  const { MPP_RPC_URL: rpcUrl, MPP_CHAIN_ID: chainId, MPP_CURRENCY: currency } = settings
  if (rpcUrl === undefined) return undefined
  return createMppPayingWallet({ ...dependencies, rpcUrl, chainId, currency })
}

export function createMppPayingWallet(options: {
  key: Hex
  rpcUrl: string
  /** The only chain and token that it pays with; base units are micro-dollars. */
  chainId: number
  currency: Hex
  clock: Clock
  log: Log
}): PayingWallet {
  const { chainId, clock, log } = options
  const currency = options.currency.toLowerCase() as Hex
  const account = privateKeyToAccount(options.key)
  const rpc = createRpc({ rpcUrl: options.rpcUrl })
  const client = createClient({
    // Fees are paid in the token that prices are paid in: the wallet holds no other.
    chain: { ...tempoMainnet, id: chainId, feeToken: currency },
    transport: custom(
      { request: ({ method, params }) => rpc.call(method, params) },
      { retryCount: 0 },
    ),
  })
  const method = tempo.charge({
    account,
    getClient: () => client,
    expectedChainId: chainId,
    mode: 'pull',
  })

  /** The seller's challenges that this wallet can answer. */
  function read({ headers }: HttpReply) {
    const header = headers['www-authenticate']
    if (header === undefined) return []
    return deserialize(header).flatMap((challenge) => {
      const { data } = charge.safeParse(challenge.request)
      const fits =
        challenge.method === 'tempo' &&
        challenge.intent === 'charge' &&
        data !== undefined &&
        data.currency === currency &&
        (data.methodDetails.chainId ?? chainId) === chainId &&
        data.methodDetails.supportedModes.includes('pull') &&
        headerShape.test(Challenge.credentialHeader(challenge)) &&
        (challenge.expires === undefined ||
          Date.parse(challenge.expires) > clock.now() + expiryMarginMs)
      if (!fits) return []
      const { feePayer: sponsored } = data.methodDetails
      return [{ challenge, sponsored, payee: data.recipient, micros: Number(data.amount) }]
    })
  }

  /** A seller who is paid by an empty wallet refuses, and then it is not certain that it was not paid. */
  async function requireFunds(micros: number): Promise<void> {
    const data = encodeFunctionData({
      abi: erc20Abi,
      functionName: 'balanceOf',
      args: [account.address],
    })
    const balance = BigInt(await rpc.call('eth_call', [{ to: currency, data }, 'latest']))
    if (balance >= BigInt(micros)) return
    log.error(
      { wallet: account.address, balance: String(balance), price: micros },
      'Operator alert: the wallet that buys from sellers does not hold what one of them asks for over MPP.',
    )
    throw fail('upstream_error', { data: { reason: 'provider_unfunded' } })
  }

  async function sign({ challenge, sponsored, payee, micros }: ReturnType<typeof read>[number]) {
    const credential = await method.createCredential({ challenge: challenge as never, context: {} })
    const { payload } = Credential.deserialize<{ signature: string }>(credential)
    const { moved, feeMax } = readTransfer(payload.signature, currency)
    if (moved !== BigInt(micros)) throw new Error(`It would have moved ${moved}, not ${micros}.`)
    if (!sponsored && feeMax > feeMicrosMax) throw new Error(`Its fee may come to ${feeMax}.`)
    // A transaction whose fee the seller pays gets its hash from the seller's signature.
    const transaction = await readTempoTransaction(payload.signature)
    return {
      protocol: 'mpp' as const,
      payee,
      micros,
      chainReference: transaction?.hash ?? challenge.id,
      headers: { [Challenge.credentialHeader(challenge).toLowerCase()]: credential },
      receiptHeader: 'payment-receipt',
    }
  }

  /** Nothing has been sent: whatever goes wrong here, the seller has not been paid. */
  async function signWithFunds(offer: ReturnType<typeof read>[number]) {
    try {
      await requireFunds(offer.micros)
      return await sign(offer)
    } catch (thrown) {
      if (thrown instanceof CallError) throw thrown
      throw fail('upstream_error', {
        message: 'The seller could not be paid at this moment. Nothing was bought; try again.',
        data: { reason: 'provider_unpayable' },
        cause: thrown,
      })
    }
  }

  return {
    protocol: 'mpp',
    read: (demand) =>
      read(demand).map((offer) => ({ micros: offer.micros, sign: () => signWithFunds(offer) })),
    close: rpc.close,
  }
}

/** One that cannot be read must not hide the others, so each is then read by itself. */
function deserialize(header: string): readonly Challenge.Challenge[] {
  try {
    return Challenge.deserializeList(header)
  } catch {
    const challenges = header.split(/,\s*(?=Payment\s)/i)
    return challenges.length === 1 ? [] : challenges.flatMap(deserialize)
  }
}

/** What a signed transaction takes from its signer, and what its fee may come to, in micros. Throws when it does anything but transfer this token. */
function readTransfer(signature: string, currency: Hex) {
  const transaction = Transaction.deserialize(signature as Transaction.TransactionSerializedTempo)
  const { calls = [], gas = 0n, maxFeePerGas = 0n } = transaction
  const moved = calls.reduce((sum, { to, data, value }) => {
    const { functionName, args } = decodeFunctionData({ abi: Abis.tip20, data: data ?? '0x' })
    const isTransfer = functionName === 'transfer' || functionName === 'transferWithMemo'
    if (to?.toLowerCase() !== currency || !isTransfer || (value ?? 0n) !== 0n) {
      throw new Error('It would have done more than pay.')
    }
    return sum + (args[1] as bigint)
  }, 0n)
  return { moved, feeMax: (gas * maxFeePerGas) / feeUnitsPerMicro }
}
