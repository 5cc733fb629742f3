// How many boxes the memory of this machine bears.
import { totalmem } from 'node:os'

const boxesMaxDefault = 40
/** The rest is left to the gateway, its database, browsers and films. */
const boxesShare = 0.5
const bytesPerMegabyte = 1_000_000

/** What the machine, or the container that the gateway runs in, has. */
export const memoryOfMachine = () => {
  const constrained = process.constrainedMemory()
  return constrained > 0 ? Math.min(totalmem(), constrained) : totalmem()
}

export interface BoxFit {
  readonly boxesMax: number
  /** For the operator: what to change. */
  readonly warning: string | undefined
}

export function fitBoxes(wish: {
  /** The setting; undefined where the operator left it to the gateway. */
  readonly boxesAtOnce: number | undefined
  readonly boxMemoryBytes: number
  readonly machineBytes: number
}): BoxFit {
  const { boxesAtOnce, boxMemoryBytes, machineBytes } = wish
  const fitting = Math.floor((machineBytes * boxesShare) / boxMemoryBytes)
  const boxesMax = boxesAtOnce ?? Math.min(boxesMaxDefault, Math.max(1, fitting))
  const needed = boxesMax * boxMemoryBytes
  if (needed <= machineBytes) return { boxesMax, warning: undefined }
  const [asked, had] = [megabytes(needed), megabytes(machineBytes)]
  const advice =
    fitting > 0
      ? `Set BOXES_AT_ONCE to at most ${fitting}, or lower BOX_MEMORY_MB.`
      : `Set BOX_MEMORY_MB to at most ${megabytes(machineBytes * boxesShare)}.`
  return {
    boxesMax,
    warning: `${boxesMax} boxes of ${megabytes(boxMemoryBytes)} MB may use ${asked} MB, and this machine has ${had} MB: boxes that are full would end other programs of the machine. ${advice}`,
  }
}

const megabytes = (bytes: number) => Math.floor(bytes / bytesPerMegabyte)
