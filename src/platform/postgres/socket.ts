import { chmod, chown, lstat, mkdir, rm, stat } from 'node:fs/promises'
import { connect } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { mayEnter, type SystemUser } from './system-user.ts'

export const port = 5432

const socketName = `.s.PGSQL.${port}`
/** The limit of macOS; Linux allows 107. */
const socketPathBytesMax = 103

/** The folder for the socket: in the cluster, or a short path if that one would be too long for a socket. */
export async function chooseSocketDirectory(
  cluster: string,
  account: SystemUser | undefined,
): Promise<string> {
  const inside = path.join(cluster, 'run')
  if (fits(inside)) return inside
  // The name comes from the cluster's identity, not its path: a moved cluster keeps its socket, and a new one never
  // inherits it.
  const { dev, ino } = await stat(cluster, { bigint: true })
  const name = `tollway-${dev.toString(36)}-${ino.toString(36)}`
  const temporary = path.join(os.tmpdir(), name)
  const usable = fits(temporary) && (await mayEnter(os.tmpdir(), account))
  return usable ? temporary : path.join('/tmp', name)
}

function fits(directory: string): boolean {
  return Buffer.byteLength(path.join(directory, socketName)) <= socketPathBytesMax
}

/** Creates the folder, private to the account, and removes the files that an earlier server left in it. */
export async function prepareSocketDirectory(
  directory: string,
  account: SystemUser | undefined,
): Promise<void> {
  const own = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 }
  const owner = account ?? own
  await mkdir(directory, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error
  })
  // In a shared folder for temporary files another user could have created it first.
  const found = await lstat(directory)
  if (!found.isDirectory() || ![owner.uid, own.uid].includes(found.uid)) {
    throw new Error(
      `The folder ${directory}, for the socket of the database, belongs to another user. Remove it, or use a data folder with a shorter path.`,
    )
  }
  await chmod(directory, 0o700)
  await chown(directory, owner.uid, owner.gid)
  for (const name of [socketName, `${socketName}.lock`]) {
    await rm(path.join(directory, name), { force: true })
  }
}

/** Whether a process, perhaps in another container, listens on the socket. */
export function isAnswered(directory: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path.join(directory, socketName))
    const settle = (answered: boolean) => {
      socket.destroy()
      resolve(answered)
    }
    socket.once('connect', () => settle(true)).once('error', () => settle(false))
  })
}

/** For `pg` and libpq. Port and SSL mode are stated so that PGPORT and PGSSLMODE do not replace them. */
export function connectionString(directory: string, user: string, database: string): string {
  const host = encodeURIComponent(directory)
  return `postgresql://${user}@/${database}?host=${host}&port=${port}&sslmode=disable`
}
