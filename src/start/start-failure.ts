// Explains in one sentence why a gateway did not start, and what to do.
import pg from 'pg'
import { readServers } from '#platform/database/servers.ts'
import { errorNameOf } from '#platform/thrown.ts'
import type { Config } from '../config.ts'

type Known = (error: NodeJS.ErrnoException, config: Config | undefined) => string

const port = (config: Config | undefined) => config?.PORT ?? 'PORT'
const host = (config: Config | undefined) => config?.HOST ?? 'HOST'

/** System errors while the server starts to listen. */
const doorProblems: Readonly<Record<string, Known>> = {
  EADDRINUSE: (_, config) =>
    `Port ${port(config)} of ${host(config)} is in use by another program, perhaps another gateway. Stop it, or set PORT to another port.`,
  EADDRNOTAVAIL: (_, config) =>
    `HOST=${host(config)} is not an address of this machine. Set it to one, or to 0.0.0.0 for all.`,
  ENOTFOUND: (_, config) =>
    `HOST=${host(config)} is an unknown name. Set it to an address of this machine, or to 0.0.0.0 for all.`,
  EAI_AGAIN: (_, config) =>
    `HOST=${host(config)} cannot be looked up. Set it to an address of this machine, or to 0.0.0.0 for all.`,
  EACCES: (_, config) =>
    `Port ${port(config)} cannot be opened by this user. Set PORT to 1024 or more, or give this user the right.`,
}

const fileProblems: Readonly<Record<string, string>> = {
  ENOENT: 'does not exist',
  EACCES: 'cannot be read or written by this user',
  EPERM: 'cannot be read or written by this user',
  EROFS: 'is on a read-only disk',
  ENOSPC: 'is on a full disk',
  ENOTDIR: 'is inside a file, not a folder',
  EISDIR: 'is a folder, not a file',
  EEXIST: 'is a file, not a folder',
}

const databaseProblems: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens there',
  ENOTFOUND: 'its host name is unknown',
  EAI_AGAIN: 'its host name cannot be looked up',
  ETIMEDOUT: 'it does not answer',
  ENOENT: 'its socket does not exist',
  '28P01': 'it refuses this user or password',
  '28000': 'it refuses this user',
  '3D000': 'it has no database of that name',
  '42501': 'this user lacks a right that the gateway needs',
  '53300': 'it has no free connection',
  '57P03': 'it is starting or shutting down',
}

export function explainStartFailure(thrown: unknown, config: Config | undefined): string {
  const error = rootOf(thrown)
  const { code = '', syscall, path: file } = error
  if (config?.DATABASE_URL !== undefined && isOfDatabase(error, thrown)) {
    const problem = databaseProblems[code] ?? error.message
    return `The database of DATABASE_URL (${addressOf(config.DATABASE_URL)}) cannot be used: ${problem}. Fix this or correct DATABASE_URL, then start again.`
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
  // Callers are told `unavailable` when the database fails; the cause holds the failure itself.
  if (error.name === 'CallError' && error.cause instanceof Error) return rootOf(error.cause)
  if (error instanceof AggregateError) return rootOf(error.errors[0])
  return error
}

function isOfDatabase(error: NodeJS.ErrnoException, thrown: unknown): boolean {
  if (error instanceof pg.DatabaseError || error.syscall === 'connect') return true
  if (error.syscall === 'getaddrinfo') return thrown !== error || isCallError(thrown)
  return isCallError(thrown)
}

const isCallError = (thrown: unknown) => errorNameOf(thrown) === 'CallError'

/** The addresses without their password. */
function addressOf(databaseUrl: string): string {
  try {
    return readServers(databaseUrl)
      .addresses.map((address) => new URL(address))
      .map(({ hostname, port, pathname }) => `${hostname}:${port || 5432}${pathname}`)
      .join(', ')
  } catch {
    return 'its address'
  }
}

function settingOf(file: string, config: Config | undefined): string {
  if (file === config?.LLM_CONFIG) return 'Correct or remove LLM_CONFIG.'
  return 'Give this user access to it, or set DATA_DIR to a folder that it can use.'
}
