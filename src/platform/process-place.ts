// Where a process runs. Another process of the same machine can see by it whether that one has ended.
import { readFile, readlink } from 'node:fs/promises'
import { hasEnded, ownProcess } from './process-folder.ts'

export interface ProcessPlaces {
  /** Of this process. Undefined where the system does not tell process ids of several machines and containers apart. */
  readonly own: string | undefined
  /** Whether the process that ran there has ended for sure. False for other machines and containers. */
  hasEnded(place: string): boolean
}

export async function findProcessPlaces(): Promise<ProcessPlaces> {
  const space = await readProcessSpace()
  if (space === undefined) return { own: undefined, hasEnded: () => false }
  const begin = `${space} `
  return {
    own: begin + ownProcess,
    hasEnded: (place) => place.startsWith(begin) && hasEnded(place.slice(begin.length)),
  }
}

/** A name for what process ids count in: one start of a machine, and one container on it. Linux only. */
async function readProcessSpace(): Promise<string | undefined> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8')
    return `${boot.trim()} ${await readlink('/proc/self/ns/pid')}`
  } catch {
    return undefined
  }
}
