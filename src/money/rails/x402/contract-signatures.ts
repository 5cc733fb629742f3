// Whether the contract of a smart wallet accepts a signature. Only the chain can tell, and inventing signatures costs
// an attacker nothing. So the node is asked last, at a limited rate for each source, and once for each signature.
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { fail } from '#core/errors.ts'
import type { SharedCounters } from '#core/replicas/shared-state.ts'
import type { Hex } from '../../chains/chain.ts'
import type { EvmChain } from '../../chains/evm.ts'

export interface ContractSignatures {
  /** Throws `rate_limited` after too many invalid signatures from this source or in all, and ChainUnavailable. */
  isValid(from: Hex, digest: Hex, signature: Hex, source: string): Promise<boolean>
}

/** An invalid signature costs its source one or two of these points. */
export const failuresPerSource = 20
const failuresInAll = 300
const windowMs = 60_000
const rememberedMax = 10_000
const rememberedMs = 60_000
/** The end of an ERC-6492 signature, which belongs to a wallet that is not deployed yet. */
const undeployedSuffix = '6492649264926492649264926492649264926492649264926492649264926492'

export function createContractSignatures(
  chain: Pick<EvmChain, 'hasCode' | 'isValidSignature'>,
  counters: SharedCounters,
): ContractSignatures {
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
        { name: `signatures of ${source}`, points: 1, most: failuresPerSource, windowMs },
        { name: 'signatures', points: 1, most: failuresInAll, windowMs },
      ]
      const { refusedBy, windows } = await counters.take(counted)
      if (refusedBy !== undefined) throw tooMany(windows[refusedBy]?.leftMs ?? windowMs)
      const yes = await question()
      if (yes) for (const { name } of counted) await counters.adjust(name, -1)
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

const tooMany = (leftMs: number) =>
  fail('rate_limited', {
    retryAfterSeconds: Math.max(1, Math.ceil(leftMs / 1_000)),
    message:
      'This address has sent too many signatures that are not from a key. Nothing was taken; send the same payment again later.',
  })
