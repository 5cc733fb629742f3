// Sessions whose resource is a box of this machine.
import type { Log } from '#core/ports.ts'
import type { SessionKind } from '#core/session.ts'
import type { Homes } from './homes.ts'
import { createLiveBoxes } from './live-boxes.ts'
import type { Machine } from './machine.ts'
import type { BoxPolicy } from './policies.ts'

export interface BoxSessionInput {
  readonly template?: string | undefined
  readonly envs?: Readonly<Record<string, string>> | undefined
}

export interface BoxSessions {
  readonly kind: SessionKind<BoxSessionInput>
  /** The gateway stops: sessions can be continued after its start. */
  leave(): Promise<void>
}

export function createBoxSessions(
  terms: BoxPolicy,
  { machine, homes, log }: { machine: Machine; homes: Homes; log: Log },
): BoxSessions {
  const boxes = createLiveBoxes(terms, { machine, homes, log })
  return {
    kind: {
      reach: 'machine',
      policy: terms.policy,
      async open({ sessionId, accountId, input, signal, clock }) {
        if (terms.keepsFiles) await homes.admit(sessionId)
        const box = await machine.open(accountId, signal)
        const { template, envs } = input
        try {
          // From now on a session without a saved home is one that was closed.
          if (terms.keepsFiles) await homes.save(sessionId, box)
        } catch (thrown) {
          await box.close()
          throw thrown
        }
        const opened = boxes.start(sessionId, box, { template, envs }, clock)
        opened.isClaimed = true
        return opened.resource
      },
      adopt: async (context, state) => (await boxes.adopt(context, state))?.resource,
      async discard({ sessionId }) {
        await boxes.close(sessionId)
        await homes.remove(sessionId)
      },
    },
    leave: boxes.leave,
  }
}
