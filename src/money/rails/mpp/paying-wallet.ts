// The operator's wallet pays sellers over MPP, method tempo, intent charge, pull mode: it signs a transfer and the
// seller sends it. The library forms the transfer. This wallet checks that the transfer moves the price and no more.
import { Challenge, Credential } from 'mppx'
import { tempo } from 'mppx/client'
import { createClient, custom, decodeFunctionData, encodeFunctionData, erc20Abi } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { Abis } from 'viem/tempo'
import { tempo as tempoMainnet } from 'viem/tempo/chains'
import { CallError, fail } from '#core/errors.ts'
import type { Clock, Log, SellerPayment } from '#core/ports.ts'
import type { PayingWallet } from '#platform/http/upstream-wallet.ts'
import { type Hex, lowerCase } from '../../chains/chain.ts'
import { createRpc, type Rpc } from '../../chains/rpc.ts'
import { deserialize, readTempoTransaction } from '../../chains/tempo-transaction.ts'
import type { WalletDependencies } from '../definition.ts'
import { type MppOffer, readOffers } from './seller-offers.ts'
import type { MppSettings } from './settings.ts'

/**
 * The highest fee of a transfer that the wallet accepts, in micro-dollars, at any price of gas that the node reports.
 */
const feeMicrosMax = 100_000
/** A fee per unit of gas is stated in units of 10^-12 micro-dollars. */
const feeUnitsPerMicro = 1_000_000_000_000n

export function openMppPayingWallet({
  settings,
  ...dependencies
}: WalletDependencies<MppSettings>): PayingWallet | undefined {
  const { MPP_RPC_URL: rpcUrl, MPP_CHAIN_ID: chainId, MPP_CURRENCY: currency } = settings
  if (rpcUrl === undefined) return undefined
  return createMppPayingWallet({ ...dependencies, rpcUrl, chainId, currency })
}

export function createMppPayingWallet(dependencies: {
  key: Hex
  rpcUrl: string
  /** The only chain and token that it pays with. Base units are micro-dollars. */
  chainId: number
  currency: Hex
  clock: Clock
  log: Log
}): PayingWallet {
  const { chainId, clock, log } = dependencies
  const currency = lowerCase(dependencies.currency)
  const account = privateKeyToAccount(dependencies.key)
  const rpc = createRpc({ rpcUrl: dependencies.rpcUrl })
  const client = createClient({
    // The wallet holds only the token that prices are paid in, so it also pays fees in it.
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

  async function sign(offer: MppOffer): Promise<SellerPayment> {
    await requireFunds({ rpc, log, currency, wallet: account.address }, offer.micros)
    const credential = await method.createCredential({
      challenge: offer.challenge as never,
      context: {},
    })
    return await toPayment(offer, credential, currency)
  }

  return {
    protocol: 'mpp',
    read: (demand) =>
      readOffers(demand, { chainId, currency }, clock.now()).map((offer) => ({
        micros: offer.micros,
        sign: () => sign(offer).catch(notPaid),
      })),
    close: rpc.close,
  }
}

/** A seller refuses a transfer from an empty wallet, and the gateway could not be certain that nothing moved. */
async function requireFunds(
  payer: { rpc: Rpc; log: Log; currency: Hex; wallet: Hex },
  micros: number,
): Promise<void> {
  const { rpc, log, currency, wallet } = payer
  const data = encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [wallet] })
  const balance = BigInt(await rpc.call('eth_call', [{ to: currency, data }, 'latest']))
  if (balance >= BigInt(micros)) return
  log.error(
    { wallet, balance: String(balance), price: micros },
    'Operator alert: the wallet that buys from sellers holds less than a seller asks for over MPP.',
  )
  throw fail('upstream_error', { data: { reason: 'provider_unfunded' } })
}

/** Throws when the credential would take more from the wallet than the offer and a small fee. */
async function toPayment(
  { challenge, sponsored, payee, micros }: MppOffer,
  credential: string,
  currency: Hex,
): Promise<SellerPayment> {
  const { payload } = Credential.deserialize<{ signature: string }>(credential)
  const { moved, feeMax } = readTransfer(payload.signature, currency)
  if (moved !== BigInt(micros)) throw new Error(`It would have moved ${moved}, not ${micros}.`)
  if (!sponsored && feeMax > feeMicrosMax) throw new Error(`Its fee may come to ${feeMax}.`)
  // The hash of a sponsored transaction depends on the seller's signature, so the wallet cannot know it.
  const transaction = await readTempoTransaction(payload.signature)
  return {
    protocol: 'mpp',
    payee,
    micros,
    chainReference: transaction?.hash ?? challenge.id,
    headers: { [Challenge.credentialHeader(challenge).toLowerCase()]: credential },
    receiptHeader: 'payment-receipt',
  }
}

/** For an error before anything was sent: the seller has not been paid. */
function notPaid(thrown: unknown): never {
  if (thrown instanceof CallError) throw thrown
  throw fail('upstream_error', {
    message: 'The seller could not be paid at this moment. Nothing was bought; try again.',
    data: { reason: 'provider_unpayable' },
    cause: thrown,
  })
}

/**
 * The amount that a signed transaction moves and its highest fee, in micro-dollars. Throws unless it only transfers
 * this token.
 */
function readTransfer(signature: string, currency: Hex) {
  const transaction = deserialize(signature)
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
