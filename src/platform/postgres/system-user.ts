import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readFile, rmdir } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { closedCommand, launcherShell } from '../sandbox/closed-start.ts'
import { errorMessageOf } from '../thrown.ts'

/** The user that runs PostgreSQL for a root gateway. PostgreSQL refuses to run as root. */
export interface SystemUser {
  readonly uid: number
  readonly gid: number
}

const preferredUsers = ['postgres', 'nobody']

export function isRoot(): boolean {
  return process.getuid?.() === 0
}

/** The user for a new cluster; undefined if PostgreSQL can run as the gateway's own user. */
export async function chooseSystemUser(): Promise<SystemUser | undefined> {
  if (!isRoot()) return undefined
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'))
  for (const preferred of preferredUsers) {
    const [, , uid, gid] = users.find(([name]) => name === preferred) ?? []
    if (uid && gid) return { uid: Number(uid), gid: Number(gid) }
  }
  throw new Error(
    'PostgreSQL does not run as root, and this system has neither a user "postgres" nor a user "nobody". ' +
      'Start the gateway as another user, or set DATABASE_URL to use your own server.',
  )
}

/**
 * The options to start PostgreSQL's programs with. They do not inherit the environment, because it holds the gateway's
 * secrets, and variables such as PGPORT would change their behaviour. Every user may enter the default folder.
 */
export function commandOptions(account: SystemUser | undefined, cwd = '/') {
  const env = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' }
  return { ...account, cwd, env }
}

const execute = promisify(execFile)

/**
 * Runs a program to its end, without the files that are open in the gateway where Bash is there to close them. If it
 * fails, rejects with an error that has its `stderr`.
 */
export async function run(
  file: string,
  args: readonly string[],
  options: { account: SystemUser | undefined; timeoutMs: number; cwd?: string },
): Promise<string> {
  const inherited = commandOptions(options.account, options.cwd)
  const command = existsSync(launcherShell)
    ? closedCommand([file, ...args], { environment: inherited.env })
    : { file, args }
  const { stdout } = await execute(command.file, command.args, {
    ...inherited,
    timeout: options.timeoutMs,
  })
  return stdout
}

const enterTimeoutMs = 10_000

/** Tries to enter, because mode bits do not show access lists and mount options. */
export async function mayEnter(
  directory: string,
  account: SystemUser | undefined,
): Promise<boolean> {
  const options = { account, timeoutMs: enterTimeoutMs }
  return await run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory], options).then(
    () => true,
    () => false,
  )
}

/** On Linux: the working directory of a program, which it can open even if it cannot follow the directory's path. */
export const ownFolder = '/proc/self/cwd'

/** Tells whether programs of the account can work in their own folder inside `directory` when started there. */
export async function mayWorkInside(directory: string, account: SystemUser): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const probe = await mkdtemp(path.join(directory, '.probe-')).catch(() => undefined)
  if (probe === undefined) return false
  try {
    await chown(probe, account.uid, account.gid)
    const script = `: > ${ownFolder}/file && rm ${ownFolder}/file`
    await run('/bin/sh', ['-c', script], { account, timeoutMs: enterTimeoutMs, cwd: probe })
    return true
  } catch {
    return false
  } finally {
    await rmdir(probe)
  }
}

/** Creates a folder that every user may enter, regardless of the umask. */
export async function makePassable(directory: string): Promise<void> {
  try {
    await mkdir(directory, { recursive: true })
    await chmod(directory, 0o755)
  } catch (cause) {
    throw new Error(
      `The folder ${directory} cannot be created: ${errorMessageOf(cause)}. It is needed because the user that runs PostgreSQL ` +
        'cannot enter the folders of the gateway. Move the gateway to a folder that every user may enter, or do not start it as root.',
      { cause },
    )
  }
}
