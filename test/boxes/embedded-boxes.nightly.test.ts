// The contract of boxes, on this machine. Boxes of sess_c are those of sess_a, and boxes of sess_e those of sess_d
// without envs.
import { rm } from 'node:fs/promises'
import { describe } from 'vitest'
import type { SessionContext } from '#core/session.ts'
import { createHomes } from '#features/machines/compute/homes.ts'
import { createMachine } from '#features/machines/compute/machine.ts'
import { boxPolicies } from '#features/machines/compute/policies.ts'
import { createBoxSessions } from '#features/machines/compute/session-kind.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { createStandingBoxes } from '#platform/sandbox/standing-boxes.ts'
import { makeDataDirectory } from '#test/data-directory.ts'
import { missingForBoxes } from '#test/sessions/boxes.ts'
import { silentLog as log } from '#test/silent-log.ts'
import { testBoxes } from './contract.ts'

const accountId = 'account'
const isMissing = (await missingForBoxes()) !== undefined
const traits = {
  sess_a: {},
  sess_b: { keepsVariables: true },
  sess_d: { suspends: true },
} satisfies Partial<Record<keyof typeof boxPolicies, Parameters<typeof testBoxes>[1]>>

/** They are opened on this machine and ask no vendor. */
const http = new Proxy({} as SessionContext['http'], {
  get: () => {
    throw new Error('A box of this machine asks no vendor.')
  },
})

describe.skipIf(isMissing)('boxes of this machine', () => {
  for (const name of Object.keys(traits) as (keyof typeof traits)[])
    testBoxes(name, traits[name], async () => {
      const folder = await makeDataDirectory()
      const boxes = createStandingBoxes({ clock })
      const machine = createMachine({ boxes, boxesMax: 50, boxesPerAccountMax: 50 })
      const homes = createHomes(folder, { bytesMax: 10e9, homeBytes: 256e6 })
      const sessions = createBoxSessions(boxPolicies[name], { machine, homes, log })
      const { signal } = new AbortController()
      return {
        kind: sessions.kind,
        context: (sessionId) => ({ sessionId, accountId, http, signal, clock }),
        count: boxes.count,
        async close() {
          await boxes.close()
          await rm(folder, { recursive: true, force: true })
        },
      }
    })
})
