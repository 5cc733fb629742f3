// The policies of the five session providers at their vendors.
import type { SessionKind } from '#core/session.ts'
import { daytona } from './daytona.ts'
import { e2b } from './e2b.ts'
import { runloop } from './runloop.ts'
import { sprites } from './sprites.ts'
import { type BoxInput, createBoxKind } from './vendor-box.ts'
import { vercel } from './vercel.ts'

const hourMs = 3_600_000
/** A devbox is suspended after this time without a command. */
const suspendAfterMs = 900_000
/** A sprite falls asleep after about this time without a command. */
const asleepAfterMs = 30_000

const perSecond = ({ vcpus }: { readonly vcpus: number }) => ({ vcpu: vcpus })

export const e2bKind: SessionKind<BoxInput> = createBoxKind(e2b, { policy: {}, perSecond })

export const daytonaKind: SessionKind<BoxInput> = createBoxKind(daytona, { policy: {}, perSecond })

export const vercelKind: SessionKind<BoxInput> = createBoxKind(vercel, {
  policy: { lifetimeMsMax: 5 * hourMs },
  perSecond,
})

export const runloopKind: SessionKind<BoxInput> = createBoxKind(runloop, {
  policy: { idle: { afterMs: suspendAfterMs, outcome: 'suspend' } },
  perSecond,
})

export const spritesKind: SessionKind<BoxInput> = createBoxKind(sprites, {
  policy: { idle: { afterMs: asleepAfterMs, outcome: 'suspend' } },
  perSecond: () => ({ cpu: 1, gigabyte: 1 }),
  // A sprite starts without variables, so they are set for each command.
  envs: ({ envs }) => envs,
})
