import type { Clock } from '#core/ports.ts'
import { errorNameOf } from '#platform/thrown.ts'
import { ChainUnavailable, type Hex, type SelfCheck } from './chain.ts'
import { type Rpc, resultOf } from './rpc.ts'

const headAgeMaxS = 120
const headAheadMaxS = 15

/** Checks what every rail needs: the right chain, a token with code, and a newest block that is recent. */
export async function checkChain(options: {
  rpc: Rpc
  chainId: number
  token: Hex
  clock: Clock
}): Promise<SelfCheck> {
  const { rpc, chainId, token, clock } = options
  const replies = await rpc.ask([
    { method: 'eth_chainId' },
    { method: 'eth_getCode', params: [token, 'latest'] },
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
  ])
  const id = resultOf(replies[0], 'eth_chainId')
  const code = resultOf(replies[1], 'eth_getCode')
  const block = resultOf(replies[2], 'eth_getBlockByNumber')
  const problems: string[] = []
  if (Number(id) !== chainId) {
    problems.push(`The node serves chain ${Number(id)}, not ${chainId}.`)
  }
  if (code === '0x') problems.push(`There is no token at ${token} on that chain.`)
  const ageS = Math.floor(clock.now() / 1_000) - Number(block.timestamp)
  if (ageS > headAgeMaxS) {
    problems.push(
      `The chain's newest block is ${ageS} seconds old by this machine's clock: the node is behind, or the clock is ahead.`,
    )
  }
  if (ageS < -headAheadMaxS) {
    problems.push(`This machine's clock is ${-ageS} seconds behind the chain's.`)
  }
  return { problems, warnings: [] }
}

/** Turns an error of the check into a problem. */
export async function reportUnavailable(check: () => Promise<SelfCheck>): Promise<SelfCheck> {
  try {
    return await check()
  } catch (error) {
    const message =
      error instanceof ChainUnavailable
        ? error.message
        : `The chain's node gave an answer that makes no sense (${errorNameOf(error)}).`
    return { problems: [message], warnings: [], away: true }
  }
}
