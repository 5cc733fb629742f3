import { copyFile, type FileHandle, open, stat, truncate } from 'node:fs/promises'
import path from 'node:path'
import type { Log } from '#core/ports.ts'
import type { SystemUser } from './system-user.ts'

const sizeBytesMax = 8 * 1024 * 1024
const tailBytes = 4 * 1024
const trimIntervalMs = 60_000

/** The server's standard error goes to a file, so that it survives the gateway. */
export interface ServerLog {
  /** For appending; the caller closes it. */
  open(): Promise<FileHandle>
  sizeBytes(): Promise<number>
  /** The end of what was written after the first `fromByte` bytes. */
  tail(fromByte: number): Promise<string>
  /** Starts to copy the file to `server.log.1` and empty it when it is long. Returns a function that stops this. */
  keepShort(log: Log): Promise<() => void>
}

export function createServerLog(cluster: string, account: SystemUser | undefined): ServerLog {
  const file = path.join(cluster, 'server.log')
  const sizeBytes = async () => (await stat(file).catch(() => undefined))?.size ?? 0
  const trimFile = async () => {
    if ((await sizeBytes()) <= sizeBytesMax) return
    // The file is emptied, not renamed, because the server holds it open. The server appends, so it continues at the
    // new end.
    await copyFile(file, `${file}.1`)
    await truncate(file)
  }
  return {
    sizeBytes,
    async open() {
      const handle = await open(file, 'a', 0o600)
      if (account) await handle.chown(account.uid, account.gid)
      return handle
    },
    async tail(fromByte) {
      const size = await sizeBytes()
      const position = Math.max(fromByte, size - tailBytes)
      const handle = await open(file)
      try {
        const { buffer, bytesRead } = await handle.read(Buffer.alloc(tailBytes), { position })
        return buffer.toString('utf8', 0, bytesRead)
      } finally {
        await handle.close()
      }
    },
    async keepShort(log) {
      const trim = () =>
        trimFile().catch((error) =>
          log.warn({ err: error }, 'The log of the PostgreSQL server could not be shortened.'),
        )
      await trim()
      const timer = setInterval(trim, trimIntervalMs).unref()
      return () => clearInterval(timer)
    },
  }
}
