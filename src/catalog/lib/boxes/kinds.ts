// The policies of the five session providers at their vendors.
import type { SessionKind } from '#core/session.ts'
import { daytona } from './daytona.ts'
import { e2b } from './e2b.ts'
import { interpreterFor } from './interpreters.ts'
import { runloop } from './runloop.ts'
import { sprites } from './sprites.ts'
import { type BoxInput, createBoxKind } from './vendor-box.ts'
import { vercel } from './vercel.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
/** Of these five, only sprites stay open when they are forgotten. */
const forgotten = { idle: { afterMs: hourMs, outcome: 'close' } } as const

const perSecond = ({ vcpus }: { readonly vcpus: number }) => ({ vcpu: vcpus })

export const e2bKind: SessionKind<BoxInput> = createBoxKind(e2b, { policy: forgotten, perSecond })

export const daytonaKind: SessionKind<BoxInput> = createBoxKind(daytona, {
  policy: forgotten,
  perSecond,
  interpret: (command, { language }) =>
    interpreterFor(command, { typescript: language === 'typescript' }),
})

export const vercelKind: SessionKind<BoxInput> = createBoxKind(vercel, {
  policy: { ...forgotten, lifetimeMsMax: 5 * hourMs },
  perSecond,
})

export const runloopKind: SessionKind<BoxInput> = createBoxKind(runloop, {
  policy: { idle: { afterMs: 15 * minuteMs, outcome: 'suspend' } },
  perSecond,
})

export const spritesKind: SessionKind<BoxInput> = createBoxKind(sprites, {
  policy: { idle: { afterMs: minuteMs, outcome: 'suspend' } },
  // All sprites have the same size, and the vendor bills all of it while a command is under way.
  perSecond: () => ({ cpu: 8, gigabyte: 4 }),
  idleIsFree: true,
})
