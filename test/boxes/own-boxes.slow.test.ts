// The boxes of this machine keep the same contract as those of vendors.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { describe } from 'vitest'
import type { ProviderHttp } from '#core/ports.ts'
import { createHomes } from '#features/compute/homes.ts'
import { createMachine } from '#features/compute/machine.ts'
import { boxPolicies } from '#features/compute/policies.ts'
import { createBoxSessions } from '#features/compute/session-kind.ts'
import { systemClock } from '#platform/clock.ts'
import { createStandingBoxes } from '#platform/sandbox/standing-boxes.ts'
import { missingForBoxes } from '#test/sessions/boxes.ts'
import { silentLog } from '#test/silent-log.ts'
import { type BoxWorld, testBoxes } from './contract.ts'

async function openMachine(name: keyof typeof boxPolicies): Promise<BoxWorld> {
  const folder = await mkdtemp(path.join(tmpdir(), 'own-boxes-'))
  const boxes = createStandingBoxes({ clock: systemClock })
  const machine = createMachine({ boxes, boxesMax: 50 })
  const homes = createHomes(folder)
  const { kind } = createBoxSessions(boxPolicies[name], { machine, homes, log: silentLog })
  const { signal } = new AbortController()
  const http = {} as ProviderHttp
  return {
    kind,
    context: (sessionId) => ({ sessionId, http, signal, clock: systemClock }),
    count: () => boxes.count(),
    async close() {
      await boxes.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

const missing = await missingForBoxes()

describe.runIf(missing === undefined)('boxes of this machine', () => {
  testBoxes('sess_a', {}, () => openMachine('sess_a'))
  testBoxes('sess_b', { keepsVariables: true }, () => openMachine('sess_b'))
  testBoxes('sess_e', { suspends: true, ignoresEnvs: true }, () => openMachine('sess_e'))
})
