// Boxes in which callers run commands, where this machine can confine programs.
import path from 'node:path'
import { type Compute, createCompute } from '#features/machines/compute/compute.ts'
import { fitBoxes, memoryOfMachine } from '#features/machines/compute/fit.ts'
import { shareOf } from '#features/machines/compute/machine.ts'
import { createStandingBoxes, defaultLimits } from '#platform/sandbox/standing-boxes.ts'
import type { AppContext } from './context.ts'
import type { Money } from './money.ts'
import type { ReadingRoom } from './reading.ts'
import type { Store } from './store.ts'

const bytesPerMegabyte = 1_000_000

export async function openCompute(
  { config, clock, log, onClose }: AppContext,
  { database, access }: Store,
  { ledger }: Money,
  { guard }: Pick<ReadingRoom, 'guard'>,
): Promise<Compute> {
  const boxMemoryBytes = config.BOX_MEMORY_MB * bytesPerMegabyte
  const { boxesMax, warning } = fitBoxes({
    boxesAtOnce: config.BOXES_AT_ONCE,
    boxMemoryBytes,
    machineBytes: memoryOfMachine(),
  })
  if (warning !== undefined) log.warn({ boxesMax }, warning)
  const networkBytes = config.BOX_NETWORK_MB * bytesPerMegabyte
  const boxes = createStandingBoxes({
    clock,
    egress: networkBytes > 0 ? { guard, bytesMax: networkBytes } : undefined,
    limits: {
      ...defaultLimits,
      memoryBytes: boxMemoryBytes,
      homeBytes: config.BOX_HOME_MB * bytesPerMegabyte,
    },
  })
  const compute = await createCompute({
    database,
    access,
    boxes,
    clock,
    log,
    gatewayNumber: ledger.gatewayNumber,
    boxesMax,
    boxesPerAccountMax: config.BOXES_PER_ACCOUNT ?? shareOf(boxesMax),
    homesFolder: path.join(config.DATA_DIR, 'homes'),
    homesQuota: {
      bytesMax: config.BOX_HOMES_MB * bytesPerMegabyte,
      homeBytes: config.BOX_HOME_MB * bytesPerMegabyte,
    },
  })
  onClose(compute.close)
  return compute
}
