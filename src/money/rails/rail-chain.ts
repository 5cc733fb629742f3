// Reads a chain for the comparison with the books. Its base units are micro-dollars.
import { type Hex, hexOf } from '../chains/chain.ts'
import type { Reader } from '../chains/reader.ts'
import type { RailChain } from './rail.ts'

export function describeChain(
  chain: Pick<Reader, 'progress' | 'balanceOf' | 'transfers'> & {
    readonly refundAddress: Hex | undefined
    readonly gasReserve?: RailChain['gasReserve'] | undefined
  },
  network: string,
  { token, payTo }: { token: Hex; payTo: Hex },
): RailChain {
  return {
    network,
    token: token.toLowerCase(),
    payTo: payTo.toLowerCase(),
    refundWallet: chain.refundAddress,
    progress: chain.progress,
    ...(chain.gasReserve && { gasReserve: chain.gasReserve }),
    balanceOf: async (address) => Number(await chain.balanceOf(hexOf(address))),
    async transfers({ from, to, ...blocks }) {
      const ends = {
        ...(from === undefined ? {} : { from: hexOf(from) }),
        ...(to === undefined ? {} : { to: hexOf(to) }),
      }
      const found = await chain.transfers({ ...ends, ...blocks })
      return found.map(({ amount, ...transfer }) => ({ ...transfer, micros: Number(amount) }))
    },
  }
}
