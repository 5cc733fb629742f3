// Sandboxes and sessions on this machine.
import type { OpenAccess } from '#core/access/open-access.ts'
import type { StandIns } from '#core/catalog.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import type { StandingBoxes } from '#platform/sandbox/standing-boxes.ts'
import { createHomes, type HomesQuota } from './homes.ts'
import { createMachine } from './machine.ts'
import { boxPolicies } from './policies.ts'
import { createSandboxRows } from './sandbox-rows.ts'
import { createSandboxes } from './sandboxes.ts'
import { type BoxSessions, createBoxSessions } from './session-kind.ts'
import { createComputeStandIns } from './stand-ins.ts'

export interface Compute {
  readonly standIns: StandIns
  /** For the operator: how boxes are limited, and how many there are. */
  health(): Promise<object>
  /** The boxes that are open here. Undefined where there can be none. */
  places(): { open: number; most: number } | undefined
  forgetOld(): Promise<void>
  /** Ends sandboxes, and leaves sessions so that they can be continued. */
  close(): Promise<void>
}

export async function createCompute(dependencies: {
  readonly database: Database
  readonly access: Pick<OpenAccess, 'enter'>
  readonly gatewayNumber: number
  readonly boxes: StandingBoxes
  readonly boxesMax: number
  /** How many of them one account may have open at once. */
  readonly boxesPerAccountMax: number
  /** Where the home folders of sessions without a box are kept. */
  readonly homesFolder: string
  readonly homesQuota: HomesQuota
  readonly clock: Clock
  readonly log: Log
}): Promise<Compute> {
  const { database, gatewayNumber, boxes, boxesMax, log } = dependencies
  const machine = createMachine(dependencies)
  const homes = createHomes(dependencies.homesFolder, dependencies.homesQuota)
  const rows = createSandboxRows(database, gatewayNumber)
  const sandboxes = createSandboxes({ ...dependencies, machine, rows })
  const kindOf = (name: keyof typeof boxPolicies): BoxSessions =>
    createBoxSessions(boxPolicies[name], { machine, homes, log })
  const sessions = {
    sess_a: kindOf('sess_a'),
    sess_b: kindOf('sess_b'),
    sess_c: kindOf('sess_c'),
    sess_d: kindOf('sess_d'),
    sess_e: kindOf('sess_e'),
  }
  const missing = boxesMax === 0 ? 'BOXES_AT_ONCE is 0.' : await boxes.missing()

  return {
    standIns: createComputeStandIns(sandboxes, sessions, {
      fullFor: machine.fullFor,
      missing,
    }),
    places: () => (missing === undefined ? { open: boxes.count(), most: boxesMax } : undefined),
    async health() {
      if (missing !== undefined) return { available: false, reason: missing }
      return {
        available: true,
        limits: await boxes.limitedBy(),
        open: boxes.count(),
        at_once_max: boxesMax,
        per_account_max: dependencies.boxesPerAccountMax,
        saving: homes.saving(),
      }
    },
    forgetOld: rows.forgetOld,
    async close() {
      await sandboxes.close()
      await Promise.all(Object.values(sessions).map((each) => each.leave()))
      await boxes.close()
    },
  }
}
