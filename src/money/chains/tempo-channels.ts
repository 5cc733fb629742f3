// The channel escrow of a Tempo chain (TIP-1034): what it knows of a channel, and the gateway's call that closes one.
import { Session } from 'mppx/tempo'
import { decodeFunctionResult, encodeFunctionData, parseEventLogs, toEventSelector } from 'viem'
import { backward } from './block-ranges.ts'
import { type Hex, lowerCase } from './chain.ts'
import { type Rpc, resultOf } from './rpc.ts'
import type { SignedCall, TempoSigner } from './tempo-signer.ts'

const abi = Session.Precompile.escrowAbi
const closedTopic = toEventSelector('ChannelClosed(bytes32,address,address,uint96,uint96)')
const noSignature: Hex = '0x'
const noChannel: Hex = `0x${'0'.repeat(64)}`

/** As the escrow's functions take it. */
export interface EscrowDescriptor {
  readonly payer: Hex
  readonly payee: Hex
  readonly operator: Hex
  readonly token: Hex
  readonly salt: Hex
  readonly authorizedSigner: Hex
  readonly expiringNonceHash: Hex
}

/** Every function throws ChainUnavailable when the node cannot be asked. */
export interface TempoChannels {
  readonly escrow: Hex
  /** The wallet that closes channels for the payee. */
  readonly operator: Hex
  /** Whether an escrow answers at its address. */
  isThere(): Promise<boolean>
  stateOf(channelId: Hex): Promise<{ readonly deposit: bigint; readonly closeRequestedAt: number }>
  /** Throws ChainRefusal when the escrow would refuse. */
  signClose(
    descriptor: EscrowDescriptor,
    amounts: {
      readonly accepted: bigint
      readonly captured: bigint
      readonly signature?: Hex | undefined
    },
  ): Promise<SignedCall>
  findClose(
    channelId: Hex,
  ): Promise<
    { readonly captured: bigint; readonly hash: Hex; readonly blockNumber: bigint } | undefined
  >
}

export function createTempoChannels({
  rpc,
  signer,
  escrow,
}: {
  rpc: Rpc
  signer: TempoSigner
  escrow: Hex
}): TempoChannels {
  async function askState(channelId: Hex): Promise<Hex> {
    const data = encodeFunctionData({ abi, functionName: 'getChannelState', args: [channelId] })
    const [reply] = await rpc.ask([
      { method: 'eth_call', params: [{ to: escrow, data }, 'latest'] },
    ])
    return resultOf(reply, 'eth_call')
  }

  return {
    escrow,
    operator: signer.address,
    // An address without a contract answers every call with nothing.
    isThere: async () => (await askState(noChannel)) !== '0x',
    async stateOf(channelId) {
      const word = await askState(channelId)
      const { deposit, closeRequestedAt } = decodeFunctionResult({
        abi,
        functionName: 'getChannelState',
        data: word,
      })
      return { deposit, closeRequestedAt }
    },
    signClose: (descriptor, { accepted, captured, signature = noSignature }) =>
      signer.sign({
        to: escrow,
        data: encodeFunctionData({
          abi,
          functionName: 'close',
          args: [descriptor, accepted, captured, signature],
        }),
      }),
    async findClose(channelId) {
      const newest = BigInt(await rpc.call('eth_blockNumber'))
      for (const { first, last } of backward(newest)) {
        const found = await rpc.call('eth_getLogs', [
          {
            address: escrow,
            topics: [closedTopic, channelId],
            fromBlock: `0x${first.toString(16)}`,
            toBlock: `0x${last.toString(16)}`,
          },
        ])
        const [log] = parseEventLogs({ abi, eventName: 'ChannelClosed', logs: found as never[] })
        const [raw] = found
        if (log === undefined || raw === undefined) continue
        return {
          captured: log.args.settledToPayee,
          hash: lowerCase(raw.transactionHash),
          blockNumber: BigInt(raw.blockNumber ?? 0),
        }
      }
      return undefined
    },
  }
}
