// Why a gateway did not start, in one sentence that says what to do.
import pg from 'pg'
import type { Config } from './config.ts'

type Known = (error: NodeJS.ErrnoException, config: Config | undefined) => string

const port = (config: Config | undefined) => config?.PORT ?? 'PORT'
const host = (config: Config | undefined) => config?.HOST ?? 'HOST'

/** What the system says while the gateway opens its door. */
const doorProblems: Readonly<Record<string, Known>> = {
  EADDRINUSE: (_, config) =>
    `Port ${port(config)} of ${host(config)} is taken: another program, perhaps another gateway, listens there. Stop it, or set PORT to another.`,
  EADDRNOTAVAIL: (_, config) =>
    `HOST=${host(config)} is no address of this machine. Set it to one, or to 0.0.0.0 for all.`,
  ENOTFOUND: (_, config) =>
    `HOST=${host(config)} is not known as a name. Set it to an address of this machine, or to 0.0.0.0 for all.`,
  EAI_AGAIN: (_, config) =>
    `HOST=${host(config)} cannot be looked up. Set it to an address of this machine, or to 0.0.0.0 for all.`,
  EACCES: (_, config) =>
    `Port ${port(config)} may not be opened by this user. Set PORT to 1024 or more, or allow it to this user.`,
}

const fileProblems: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'may not be read or written by this user',
  EPERM: 'may not be read or written by this user',
  EROFS: 'is on a disk that is read-only',
  ENOSPC: 'is on a disk that is full',
  ENOTDIR: 'is below a file, not a folder',
  EISDIR: 'is a folder, not a file',
  EEXIST: 'is a file, not a folder',
}

const databaseProblems: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its host name is not known',
  EAI_AGAIN: 'its host name cannot be looked up',
  ETIMEDOUT: 'it does not answer',
  ENOENT: 'its socket does not exist',
  '28P01': 'it refuses this user or password',
  '28000': 'it refuses this user',
  '3D000': 'it has no database of that name',
  '42501': 'this user lacks a right that the gateway needs',
  '53300': 'it has no connection left',
  '57P03': 'it is starting or shutting down',
}

export function explainStartFailure(thrown: unknown, config: Config | undefined): string {
  const error = rootOf(thrown)
  const { code = '', syscall, path: file } = error
  if (config?.DATABASE_URL !== undefined && isOfDatabase(error, thrown)) {
    const problem = databaseProblems[code] ?? error.message
    return `The database of DATABASE_URL (${addressOf(config.DATABASE_URL)}) cannot be used: ${problem}. Mend that, or correct DATABASE_URL, and start again.`
  }
  const atDoor = syscall === 'listen' || syscall === 'bind' || syscall === 'getaddrinfo'
  const door = atDoor ? doorProblems[code] : undefined
  if (door !== undefined) return door(error, config)
  if (file !== undefined && fileProblems[code] !== undefined) {
    return `${file} ${fileProblems[code]}. ${settingOf(file, config)}`
  }
  return error.message
}

function rootOf(thrown: unknown): NodeJS.ErrnoException {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown))
  // A failure of the database is told to callers as `unavailable`; what happened is its cause.
  if (error.name === 'CallError' && error.cause instanceof Error) return rootOf(error.cause)
  if (error instanceof AggregateError) return rootOf(error.errors[0])
  return error
}

function isOfDatabase(error: NodeJS.ErrnoException, thrown: unknown): boolean {
  if (error instanceof pg.DatabaseError || error.syscall === 'connect') return true
  if (error.syscall === 'getaddrinfo') return thrown !== error || isCallError(thrown)
  return isCallError(thrown)
}

const isCallError = (thrown: unknown) => (thrown as Error).name === 'CallError'

/** Without its password. */
function addressOf(databaseUrl: string): string {
  try {
    const { hostname, port, pathname } = new URL(databaseUrl)
    return `${hostname}:${port || 5432}${pathname}`
  } catch {
    return 'its address'
  }
}

function settingOf(file: string, config: Config | undefined): string {
  if (file === config?.LLM_CONFIG) return 'Correct LLM_CONFIG, or remove it.'
  return 'Give this user access to it, or set DATA_DIR to a folder that it can use.'
}
