// Whether the contract of a smart wallet accepts a signature. Only the chain can tell, and inventing signatures costs
// an attacker nothing. So the node is asked last, at a limited rate for each source, and once for each signature.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { RateLimiterMemory, type RateLimiterRes } from 'rate-limiter-flexible'
import { fail } from '#core/errors.ts'
import type { Hex } from '../../chains/chain.ts'
import type { EvmChain } from '../../chains/evm.ts'

export interface ContractSignatures {
  /** Throws `rate_limited` after too many invalid signatures from this source or in all, and ChainUnavailable. */
  isValid(from: Hex, digest: Hex, signature: Hex, source: string): Promise<boolean>
}

/** An invalid signature costs its source one or two of these points. */
export const failuresPerSource = 20
const failuresInAll = 300
const windowSeconds = 60
const rememberedMax = 10_000
const rememberedMs = 60_000
/** The end of an ERC-6492 signature, which belongs to a wallet that is not deployed yet. */
const undeployedSuffix = '6492649264926492649264926492649264926492649264926492649264926492'

export function createContractSignatures(
  chain: Pick<EvmChain, 'hasCode' | 'isValidSignature'>,
): ContractSignatures {
  const perSource = new RateLimiterMemory({ points: failuresPerSource, duration: windowSeconds })
  const inAll = new RateLimiterMemory({ points: failuresInAll, duration: windowSeconds })
  const remember = () => new LRUCache<string, boolean>({ max: rememberedMax, ttl: rememberedMs })
  const deployed = remember()
  const answers = remember()

  async function isDeployed(address: Hex, ask: Ask): Promise<boolean> {
    const known = deployed.get(address)
    if (known !== undefined) return known
    const found = await ask(() => chain.hasCode(address))
    deployed.set(address, found)
    return found
  }

  /** Takes a point before it asks the node, so that concurrent questions count too. */
  const asking =
    (source: string): Ask =>
    async (question) => {
      const counted = [
        { limit: perSource, name: source },
        { limit: inAll, name: '' },
      ]
      for (const { limit, name } of counted) await limit.consume(name).catch(refuse)
      const yes = await question()
      if (yes) for (const { limit, name } of counted) await limit.reward(name)
      return yes
    }

  return {
    async isValid(from, digest, signature, source) {
      const name = createHash('sha256').update(`${from}${digest}${signature}`).digest('base64')
      const known = answers.get(name)
      if (known !== undefined) return known
      const ask = asking(source)
      const brings = signature.endsWith(undeployedSuffix)
      if (!brings && !(await isDeployed(from, ask))) return false
      const agreed = await ask(() => chain.isValidSignature(from, digest, signature))
      answers.set(name, agreed)
      return agreed
    },
  }
}

type Ask = (question: () => Promise<boolean>) => Promise<boolean>

function refuse(rejected: RateLimiterRes | Error): never {
  if (rejected instanceof Error) throw rejected
  throw fail('rate_limited', {
    retryAfterSeconds: Math.max(1, Math.ceil(rejected.msBeforeNext / 1_000)),
    message:
      'This address has sent too many signatures that are not from a key. Nothing was taken; send the same payment again later.',
  })
}
