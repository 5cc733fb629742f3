// What a gateway does with its sessions at regular times.
import type { Endings } from './endings.ts'
import type { OwnSessions, SessionDependencies } from './kinds.ts'
import type { LiveSession } from './live-session.ts'
import type { Pauses } from './pauses.ts'
import { dueMicros, isUsedUp, nextOf } from './plan.ts'
import type { SessionMoney } from './session-money.ts'

interface Parts {
  readonly money: SessionMoney
  readonly own: OwnSessions
  readonly endings: Endings
  readonly pauses: Pauses
  readonly takeOver: () => Promise<void>
}

export type Rounds = ReturnType<typeof createRounds>

export function createRounds(
  { rows, clock, log }: Pick<SessionDependencies, 'rows' | 'clock' | 'log'>,
  { money, own: { lives }, endings, pauses, takeOver }: Parts,
) {
  async function lookAt(live: LiveSession): Promise<void> {
    if (!lives.has(live.id)) return
    if (!(await live.isAlive())) return await pauses.lose(live)
    const standing = await live.standing()
    const { heldMicros } = standing
    live.heldMicros = await money.fit(live, { heldMicros, dueMicros: dueMicros(standing) })
    const next = nextOf({ ...standing, heldMicros: live.heldMicros }, clock.now())
    if (next.kind === 'close') return void (await endings.endLive(live, next.reason))
    if (next.kind === 'suspend' || next.kind === 'renew') {
      await pauses[next.kind](live)
      return await lookAt(live)
    }
    if (next.kind !== 'extend') return
    live.heldMicros = await money.extend(live, next.targetMicros)
    if (isUsedUp(await live.standing())) await endings.endLive(live, 'balance')
  }

  /**
   * Writes the use of all sessions, and reads when other gateways used them. One that another gateway has closed, or
   * taken over, ends here.
   */
  async function reportUse(): Promise<void> {
    const all = [...lives.values()]
    const owned = await rows.see(await Promise.all(all.map((live) => live.sight())), clock.now())
    for (const live of all)
      live.lastUsedAtMs = Math.max(live.lastUsedAtMs, owned.get(live.id)?.lastUsedAtMs ?? 0)
    await Promise.all(
      all.filter(({ id }) => !owned.has(id)).map((live) => live.inTurn(() => endings.drop(live))),
    )
  }

  return {
    reportUse,
    /** Meters the sessions of this gateway: extends their holds, suspends and ends them. */
    async meter(): Promise<void> {
      await reportUse()
      await Promise.all(
        [...lives.values()].map((live) =>
          live
            .inTurn(() => lookAt(live))
            .catch((error) => {
              log.warn({ err: error, sessionId: live.id }, 'A session will be looked at again.')
            }),
        ),
      )
    },
    /** Takes over what stopped gateways left, and removes what could not be removed before. */
    async clear(): Promise<void> {
      await takeOver()
      await endings.removeRest()
    },
  }
}
