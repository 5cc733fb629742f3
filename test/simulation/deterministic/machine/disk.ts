// The disks of simulated hosts. What a process has written stays when it is killed.
import type { Process, Scheduler } from './scheduler.ts'

/** What may go wrong with one write. */
export type WriteFault =
  | 'short'
  /** The disk is full after a part. */
  | 'full'
  /** The process is killed after a part. */
  | 'killed'

export interface Disk {
  open(file: string): number
  /** The number of bytes that were written. Throws like Node. */
  write(descriptor: number, data: Buffer, from: number): number
  truncate(descriptor: number, bytes: number): void
  remove(file: string): void
  list(folder: string): readonly string[]
  read(file: string): string
  /** The files that are not empty. */
  filled(): readonly string[]
}

export function createDisk({
  scheduler,
  faultOfWrite,
  part,
  kill,
}: {
  readonly scheduler: Scheduler
  readonly faultOfWrite: () => WriteFault | undefined
  /** Some of so many bytes. */
  readonly part: (bytes: number) => number
  readonly kill: (process: Process) => void
}): Disk {
  const files = new Map<string, { content: Buffer }>()
  const descriptors = new Map<number, { content: Buffer }>()
  const isDead = () => scheduler.current().isDead

  return {
    open(file) {
      const opened = files.get(file) ?? { content: Buffer.alloc(0) }
      files.set(file, opened)
      // Numbers below zero: the real system has none of them.
      const descriptor = -1 - descriptors.size
      descriptors.set(descriptor, opened)
      return descriptor
    },
    write(descriptor, data, from) {
      const file = descriptors.get(descriptor)
      if (isDead() || file === undefined) throw systemError('EBADF')
      const fault = faultOfWrite()
      const whole = data.subarray(from)
      const written = fault === undefined ? whole : whole.subarray(0, part(whole.length))
      file.content = Buffer.concat([file.content, written])
      if (fault === 'killed') kill(scheduler.current())
      if (fault === 'full' || fault === 'killed') throw systemError('ENOSPC')
      return written.length
    },
    truncate(descriptor, bytes) {
      const file = descriptors.get(descriptor)
      if (!isDead() && file !== undefined) file.content = file.content.subarray(0, bytes)
    },
    remove(file) {
      if (!isDead()) files.delete(file)
    },
    list: (folder) =>
      [...files.keys()]
        .filter((file) => file.startsWith(`${folder}/`))
        .map((file) => file.slice(folder.length + 1)),
    read(file) {
      const found = files.get(file)
      if (found === undefined) throw systemError('ENOENT')
      return found.content.toString('utf8')
    },
    filled: () =>
      [...files].filter(([, { content }]) => content.length > 0).map(([file]) => `file ${file}`),
  }
}

const systemError = (code: string) => Object.assign(new Error(code), { code })
