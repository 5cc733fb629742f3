import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { chooseSystemUser, commandOptions } from './system-user.ts'
import { createPlayground, type Playground, query, recordLog, serverPid } from './testing.ts'

const runsAgain = 'The PostgreSQL server is running again.'
const orphanEnded = 'Stopping a PostgreSQL server that an earlier gateway left running.'

let playground: Playground
beforeAll(async () => {
  playground = await createPlayground()
})
afterAll(() => playground.clear())

/** Resolves when no process has this id. */
async function endOf(pid: number) {
  const isAlive = () => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  while (isAlive()) await delay(20)
}

/** The lifeline processes that end the server with this id when its gateway ends. */
async function lifelines(serverPid: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)('ps', ['-axo', 'pid=,args='])
  const lines = stdout.split('\n').filter((line) => line.endsWith(`tollway-lifeline ${serverPid}`))
  return lines.map((line) => Number.parseInt(line, 10))
}

const folder = (name: string) => path.join(playground.root, name)

describe('when the server is killed', () => {
  test('it is restarted, and every acknowledged commit is there', async () => {
    const { log, next } = recordLog()
    const server = await playground.start(folder('killed-server'), log)
    await query(server, 'create table entry (number integer)')
    const writer = new pg.Client(server.connectionString)
    writer.on('error', () => undefined)
    await writer.connect()
    let acknowledged = 0
    const broken = expect(
      (async () => {
        for (;;) {
          await writer.query('insert into entry values ($1)', [acknowledged + 1])
          acknowledged += 1
          if (acknowledged === 100) process.kill(await serverPid(server), 'SIGKILL')
        }
      })(),
    ).rejects.toThrow()
    await Promise.all([next(runsAgain), broken])

    const [row] = await query(server, 'select max(number) as last, count(*)::integer from entry')
    expect(row?.last).toBe(row?.count)
    expect([acknowledged, acknowledged + 1]).toContain(row?.count)
    await server.stop()
  })

  test('the restart waits for a session that is still running a statement', async () => {
    const { log, next } = recordLog()
    const server = await playground.start(folder('busy-session'), log)
    const busy = new pg.Client(server.connectionString)
    busy.on('error', () => undefined)
    await busy.connect()
    await busy.query('begin')
    const counting = busy.query('select count(*) from generate_series(1, 10000000)').then(
      () => 'finished',
      () => 'broken',
    )
    // The statement has begun once another session sees it.
    const isCounting = `select from pg_stat_activity where state = 'active' and query like '%generate_series(1, 1%' and pid <> pg_backend_pid()`
    while ((await query(server, isCounting)).length === 0);
    process.kill(await serverPid(server), 'SIGKILL')
    await Promise.all([next(runsAgain), counting])
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
    const serverLog = await readFile(path.join(server.directory, 'server.log'), 'utf8')
    expect(serverLog).toContain('is still in use')
    await server.stop()
  })
})

describe('when the gateway is killed', () => {
  // Depending on the machine, these delays fall into the preparations, initdb, or the server's first seconds.
  test.each([100, 300, 500, 700, 1_000])(
    '%i ms into its very first start, the next start works',
    async (delayMs) => {
      const dataDir = folder(`first-start-${delayMs}`)
      const gateway = playground.spawnGateway(dataDir)
      await delay(delayMs)
      gateway.process.kill('SIGKILL')
      await gateway.ended

      const server = await playground.start(dataDir)
      await query(server, 'create table fruit (name text)')
      await server.stop()
    },
  )

  test('its server shuts down cleanly by itself, even with a session that never ends', async () => {
    const gateway = playground.spawnGateway(folder('lonely'))
    const server = (await gateway.ready) ?? expect.unreachable('It did not start.')
    const pid = await serverPid(server)
    const session = new pg.Client(server.connectionString)
    const broken = new Promise((resolve) => session.on('error', resolve))
    await session.connect()
    await session.query('begin')
    gateway.process.kill('SIGKILL')
    await gateway.ended
    await broken
    await endOf(pid)
    const serverLog = await readFile(path.join(server.directory, 'server.log'), 'utf8')
    expect(serverLog).toMatch(/received fast shutdown request[\s\S]*database system is shut down/)
    while ((await lifelines(pid)).length > 0) await delay(100)
  })

  test('during a start, no server is left behind', async () => {
    const gateway = playground.spawnGateway(folder('early'))
    const pidFile = path.join(folder('early'), 'postgres', 'postmaster.pid')
    let text = ''
    while (!text.includes('\n')) text = await readFile(pidFile, 'utf8').catch(() => '')
    gateway.process.kill('SIGKILL')
    await gateway.ended
    await endOf(Number.parseInt(text, 10))
  })

  test('together with the lifeline, the next gateway ends the server and finds all the data', async () => {
    const gateway = playground.spawnGateway(folder('orphan'))
    const orphan = (await gateway.ready) ?? expect.unreachable('It did not start.')
    await query(orphan, `create table fruit as select 'plum' as name`)
    const orphanPid = await serverPid(orphan)
    for (const pid of await lifelines(orphanPid)) process.kill(pid, 'SIGKILL')
    gateway.process.kill('SIGKILL')
    await gateway.ended
    expect(process.kill(orphanPid, 0)).toBe(true)

    const { log, messages } = recordLog()
    const server = await playground.start(folder('orphan'), log)
    expect(messages).toContain(orphanEnded)
    expect(await serverPid(server)).not.toBe(orphanPid)
    expect(await query(server, 'select name from fruit')).toEqual([{ name: 'plum' }])
    await server.stop()
  })

  test('together with its server, an unrelated process that received the server’s id is left alone', async () => {
    const gateway = playground.spawnGateway(folder('stale'))
    const old = (await gateway.ready) ?? expect.unreachable('It did not start.')
    const pidFile = path.join(old.directory, 'postmaster.pid')
    const text = await readFile(pidFile, 'utf8')
    gateway.process.kill('SIGKILL')
    await gateway.ended
    process.kill(await serverPid(old), 'SIGKILL')

    // It has the same user, so PostgreSQL itself would take it for a running server and refuse to start.
    const innocent = spawn('/bin/sleep', ['600'], {
      ...commandOptions(await chooseSystemUser()),
      stdio: 'ignore',
    })
    await once(innocent, 'spawn')
    await writeFile(pidFile, text.replace(/^\d+/, String(innocent.pid)))
    const server = await playground.start(folder('stale'))
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.stop()
    expect(innocent.exitCode ?? innocent.signalCode).toBeNull()
    innocent.kill('SIGKILL')
    await once(innocent, 'exit')
  })
})

test('when two gateways start on the same new data folder at once, one runs and the other reports why it cannot', async () => {
  const gateways = [1, 2].map(() => playground.spawnGateway(folder('contended')))
  const outcomes = await Promise.all(gateways.map((gateway) => gateway.ready))
  const [winner] = outcomes.filter((outcome) => outcome !== undefined)
  if (winner === undefined) expect.unreachable('Neither started.')
  expect(outcomes).toContain(undefined)
  const loser = gateways[outcomes.indexOf(undefined)]
  expect(await loser?.ended).toMatch(/^Another gateway is running on the database in /)
  expect(await query(winner, 'select 1 as one')).toEqual([{ one: 1 }])
})
