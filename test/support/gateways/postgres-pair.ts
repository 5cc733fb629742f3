// Two PostgreSQL servers: a primary, whose commits wait for its standby or not, and the standby. The primary is killed
// and the standby promoted.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, chown, mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect } from 'vitest'
import { openDatabase } from '#platform/database/database.ts'
import { locateBinaries } from '#platform/postgres/binaries.ts'
import { chooseSystemUser, commandOptions, run } from '#platform/postgres/system-user.ts'
import { listProcesses } from '../../simulation/processes.ts'
import { makeDataDirectory, removeDataDirectory } from '../data-directory.ts'
import type { AtEnd } from '../database.ts'
import { silentLog as log } from '../silent-log.ts'
import { until } from '../until.ts'
import { findFreePort } from './free-port.ts'

const user = 'tollway'
const initTimeoutMs = 120_000

interface Server {
  readonly url: string
  kill(): Promise<void>
}

interface PairOptions {
  /** Whether commits wait until the standby has them. */
  readonly isSynchronous: boolean
}

export async function startPostgresPair(atEnd: AtEnd, { isSynchronous }: PairOptions) {
  const folder = await makeDataDirectory()
  const account = await chooseSystemUser()
  const { directory } = await locateBinaries()
  const program = (name: string) => path.join(directory, 'bin', name)
  const places = ['one', 'two'].map((name) => path.join(folder, name))
  const ports = [await findFreePort(), await findFreePort()]
  const [first = '', second = ''] = places

  const start = async (place: string, port: number) =>
    await startServer({ program: program('postgres'), place, port, account, atEnd })
  const own = async (place: string) => {
    if (account !== undefined) await chown(place, account.uid, account.gid)
  }

  atEnd(() => removeDataDirectory(folder))
  await mkdir(first, { mode: 0o700 })
  await own(first)
  const args = ['-D', first, '-U', user, '--auth=trust', '--encoding=UTF8', '--no-sync']
  await run(program('initdb'), args, { account, timeoutMs: initTimeoutMs, cwd: first })
  await appendFile(path.join(first, 'postgresql.conf'), settings)
  await appendFile(path.join(first, 'pg_hba.conf'), 'host replication all 127.0.0.1/32 trust\n')
  // The standby begins as a copy of a server that has stopped.
  await run('/bin/cp', ['-a', first, second], { account: undefined, timeoutMs: initTimeoutMs })
  await writeFile(path.join(second, 'standby.signal'), '')
  await own(path.join(second, 'standby.signal'))
  await appendFile(
    path.join(second, 'postgresql.conf'),
    `primary_conninfo = 'host=127.0.0.1 port=${ports[0]} user=${user}'\n`,
  )
  const primary = await start(first, ports[0] ?? 0)
  const admin = openDatabase({ connectionString: primary.url, log })
  await admin.query('create database tollway')
  const standby = await start(second, ports[1] ?? 0)
  if (isSynchronous) {
    await admin.query(`alter system set synchronous_standby_names = '*'`)
    await admin.query('select pg_reload_conf()')
  }
  await until(async () => {
    const [row] = await admin.query<{ sync_state: string }>(
      'select sync_state from pg_stat_replication',
    )
    return row?.sync_state === (isSynchronous ? 'sync' : 'async')
  })
  await admin.close()

  return {
    /** As an operator names both. */
    connectionString: `postgresql://${user}@127.0.0.1:${ports[0]},127.0.0.1:${ports[1]}/tollway`,
    killPrimary: primary.kill,
    /**
     * From now on the standby learns nothing more of the primary. Resolves to a time: the standby has all that was
     * committed before it.
     */
    async cutReplication(): Promise<number> {
      const database = openDatabase({ connectionString: primary.url, log })
      const hasAllUntilMs = Date.now()
      const [now] = await database.query<{ lsn: string }>('select pg_current_wal_lsn() as lsn')
      let sender: number | undefined
      await until(async () => {
        const [row] = await database.query<{ pid: number }>(
          'select pid from pg_stat_replication where replay_lsn >= $1::pg_lsn',
          [now?.lsn],
        )
        sender = row?.pid
        return sender !== undefined
      })
      process.kill(Number(sender), 'SIGSTOP')
      await database.close()
      return hasAllUntilMs
    },
    async promoteStandby() {
      const database = openDatabase({ connectionString: standby.url, log })
      const [row] = await database.query<{ promoted: boolean }>('select pg_promote() as promoted')
      expect(row).toEqual({ promoted: true })
      await database.close()
    },
  }
}

const settings = `
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 200
fsync = off
wal_level = replica
hot_standby = on
shared_buffers = 64MB
`

async function startServer({
  program,
  place,
  port,
  account,
  atEnd,
}: {
  program: string
  place: string
  port: number
  account: Awaited<ReturnType<typeof chooseSystemUser>>
  atEnd: AtEnd
}): Promise<Server> {
  const url = `postgresql://${user}@127.0.0.1:${port}/postgres`
  const child: ChildProcess = spawn(program, ['-D', place, '-p', String(port)], {
    ...commandOptions(account, place),
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const family = [...(await listProcesses()).values()].filter(
      ({ parent }) => parent === child.pid,
    )
    child.kill('SIGKILL')
    for (const { pid } of family) {
      try {
        process.kill(pid, 'SIGKILL')
      } catch {
        // It has ended by itself.
      }
    }
    await ended
  }
  atEnd(kill)
  await until(async () => {
    if (child.exitCode !== null) throw new Error(`PostgreSQL ended with ${child.exitCode}.`)
    const database = openDatabase({ connectionString: url, log })
    try {
      await database.query('select 1')
      return true
    } catch {
      return false
    } finally {
      await database.close()
    }
  })
  return { url, kill }
}
