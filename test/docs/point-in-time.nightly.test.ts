// The commands of docs/operate/backup.md and restore.md for a point in time, on a real PostgreSQL server under load.
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { chmod, chown, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { chooseSystemUser } from '#platform/postgres/system-user.ts'
import { startGateway, verify } from '#test/harness.ts'
import { until } from '#test/until.ts'
import { codeBlocks } from './guide-text.ts'

const [basebackup] = globSync('/usr/lib/postgresql/*/bin/pg_basebackup').toSorted().toReversed()
const reason = basebackup === undefined ? '(skipped: PostgreSQL of Debian is not installed)' : ''

test.skipIf(basebackup === undefined)(
  `the books of a chosen moment come back from the archive, and add up ${reason}`,
  async () => {
    const user = await chooseSystemUser()
    const folder = await mkdtemp(path.join(tmpdir(), 'tollway-moment-'))
    await chmod(folder, 0o711)
    if (user !== undefined) await chown(folder, user.uid, user.gid)
    const cluster = path.join(folder, 'cluster')
    const env = {
      PATH: `${path.dirname(basebackup ?? '')}:${process.env.PATH}`,
      LC_ALL: 'C.UTF-8',
      PGDATA: cluster,
      BACKUPS: folder,
      ARCHIVE: `${folder}/archive`,
      SERVER_URL: `postgresql://tollway@/tollway?host=${folder}`,
    }
    const shell = async (commands: string | undefined) =>
      (
        await promisify(execFile)('bash', ['-euc', commands ?? 'false'], {
          env,
          cwd: folder,
          ...user,
        })
      ).stdout
    const isolated = `-o "-c unix_socket_directories=${folder} -c listen_addresses=''"`
    const start = (data: string) =>
      shell(`pg_ctl start --wait --silent --pgdata ${data} --log ${folder}/log ${isolated}`)
    const stop = (data: string, mode: string) =>
      shell(`pg_ctl stop --wait --silent --pgdata ${data} --mode ${mode}`)
    onTestFinished(async () => {
      for (const data of [cluster, `${cluster}.restored`])
        await stop(data, 'immediate').catch(() => {})
      await rm(folder, { recursive: true, force: true })
    })

    const [archive, copy, name] = codeBlocks('operate/backup.md', 'sh', 'To any point in time')
    await shell(`initdb --no-sync --auth=trust --username=tollway`)
    await shell(archive?.replace(/^ARCHIVE=.*$/m, ''))
    await start(cluster)
    await shell(`createdb --host=${folder} --username=tollway tollway`)

    const databaseUrl = env.SERVER_URL
    const gateway = await startGateway({ databaseUrl })
    const account = await gateway.account(1_000)
    let isOver = false
    const working = (async () => {
      while (!isOver) expect((await account.call('test/echo', {})).status).toBe(200)
    })()
    await shell(copy)
    isOver = true
    await working
    const before = await account.state()
    await shell(name)
    for (let mistake = 0; mistake < 5; mistake += 1) await account.call('test/echo', {})
    const after = await account.state()
    expect(after.availableCents).toBeLessThan(before.availableCents)
    const [{ wal = '' } = {}] = await gateway.database.query<{ wal: string }>(
      'select pg_walfile_name(pg_switch_wal()) as wal',
    )
    await until(async () => {
      const [row] = await gateway.database.query<{ last: string | null }>(
        'select last_archived_wal as last from pg_stat_archiver',
      )
      return (row?.last ?? '') >= wal
    })
    await gateway.close()
    await stop(cluster, 'immediate')

    const [restore] = codeBlocks('operate/restore.md', 'sh', 'To a point in time')
    await shell(restore?.replaceAll(/^ {3}/gm, ''))
    await start(`${cluster}.restored`)
    await until(async () =>
      (
        await shell(
          `psql --no-align --tuples-only "$SERVER_URL" --command='select pg_is_in_recovery()'`,
        )
      ).startsWith('f'),
    )
    const restored = await startGateway({ databaseUrl })
    expect(await verify(restored)).toMatchObject({ ok: true, problems: [] })
    const { body } = await restored.request('GET', '/api/v1/account', { key: account.key })
    expect(body.available_cents).toBe(before.availableCents)
    const again = await restored.call('test/echo', {}, { key: account.key })
    expect(again.status).toBe(200)
    expect((await verify(restored)).ok).toBe(true)
  },
)
