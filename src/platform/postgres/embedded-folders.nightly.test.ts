import { once } from 'node:events'
import {
  chmod,
  chown,
  cp,
  mkdir,
  readdir,
  rename,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { createServer } from 'node:net'
import path from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { locateBinaries, prepareBinaries } from './binaries.ts'
import type { EmbeddedPostgres } from './embedded.ts'
import { chooseSystemUser, isRoot, mayEnter } from './system-user.ts'
import { createPlayground, type Playground, query } from './testing.ts'

let playground: Playground
beforeAll(async () => {
  playground = await createPlayground()
})
afterAll(() => playground.clear())

const folder = (name: string) => path.join(playground.root, name)

test('a restarted database keeps its data and its address', async () => {
  const first = await playground.start(folder('restart'))
  await query(first, `create table fruit as select 'plum' as name`)
  await first.stop()
  await first.stop()

  const second = await playground.start(folder('restart'))
  expect(await query(second, 'select name from fruit')).toEqual([{ name: 'plum' }])
  expect(second.connectionString).toBe(first.connectionString)
  await second.stop()
})

describe('a database that runs', () => {
  let server: EmbeddedPostgres
  beforeAll(async () => {
    server = await playground.start(folder('running'))
  })
  afterAll(() => server.stop())

  test('syncs each commit to disk and listens on no address', async () => {
    const settings = {
      fsync: 'on',
      full_page_writes: 'on',
      synchronous_commit: 'on',
      data_checksums: 'on',
      listen_addresses: '',
    }
    for (const [name, value] of Object.entries(settings)) {
      expect(await query(server, `show ${name}`)).toEqual([{ [name]: value }])
    }
  })

  test('knows the letters of every language and sorts text the same on every system', async () => {
    const words = `select array_agg(upper(word) order by word) as words from unnest(array['b', 'é', 'a', 'B']) as word`
    expect(await query(server, words)).toEqual([{ words: ['B', 'A', 'B', 'É'] }])
  })

  test('does not let the role of the gateway run programs or read files', async () => {
    await expect(query(server, `copy (select 1) to program 'true'`)).rejects.toThrow(/permission/)
    await expect(query(server, `select pg_read_file('/etc/passwd')`)).rejects.toThrow(/permission/)
  })

  test('refuses a second gateway, under every path to the same folder', async () => {
    await symlink(folder('running'), folder('running-by-another-name'))
    const sentence = `Another gateway is running on the database in ${server.directory}. Stop it, or give this gateway its own data folder.`
    await expect(playground.start(folder('running-by-another-name'))).rejects.toThrow(sentence)
    expect(await playground.spawnGateway(folder('running')).ended).toBe(sentence)
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
  })
})

test('the database works under a path that is too long for a socket and has unusual characters', async () => {
  const deep = folder(path.join('d'.repeat(60), `it's a "deep", long`, 'é'.repeat(30)))
  const server = await playground.start(deep)
  expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
  const socketDirectory = new pg.Client(server.connectionString).host
  expect(socketDirectory).not.toContain(playground.root)
  expect((await stat(socketDirectory)).mode & 0o777).toBe(0o700)
  await server.stop()
  await expect(stat(socketDirectory)).rejects.toThrow(/ENOENT/)
})

describe('a start is refused with a sentence that says what to do', () => {
  test('when a server that it cannot end runs on the data folder', async () => {
    const { directory, stop } = await playground.start(folder('container'))
    await stop()
    await mkdir(path.join(directory, 'run'))
    const socket = path.join(directory, 'run', '.s.PGSQL.5432')
    const stranger = createServer().listen(socket)
    await once(stranger, 'listening')
    await expect(playground.start(folder('container'))).rejects.toThrow(
      `A PostgreSQL server that this gateway cannot reach, perhaps in another container, uses ${directory}. Stop it`,
    )
    expect((await stat(socket)).isSocket()).toBe(true)
    stranger.close()
    await once(stranger, 'close')
  })

  test('when the database folder holds something else', async () => {
    const account = await chooseSystemUser()
    const place = folder(path.join('other', 'postgres'))
    await mkdir(place, { recursive: true })
    if (account) await chown(place, account.uid, account.gid)
    await expect(playground.start(folder('other'))).rejects.toThrow(
      `The folder ${place} is not a PostgreSQL database. Move it away, or choose another data folder.`,
    )
    await writeFile(path.join(place, 'PG_VERSION'), '9\n')
    await expect(playground.start(folder('other'))).rejects.toThrow(
      /created by PostgreSQL 9, but this gateway contains PostgreSQL \d+\. Dump it/,
    )
  })

  test('when the database was elsewhere and no longer exists, instead of starting with an empty one', async () => {
    await mkdir(folder('lost'))
    await symlink('/nowhere/at/all', folder('lost/postgres'))
    await expect(playground.start(folder('lost'))).rejects.toThrow(
      `The database of this data folder was in /nowhere/at/all, which no longer exists.`,
    )
  })
})

describe('the binaries', () => {
  test('receive the links that are missing when install scripts were skipped', async () => {
    const account = await chooseSystemUser()
    const packaged = { ...(await locateBinaries()), directory: folder('native') }
    await copyWithoutLinks(packaged.directory)
    const prepared = await prepareBinaries({
      packaged,
      account,
      copiesDirectory: folder('unneeded'),
    })
    expect(prepared).toEqual(packaged)
    await expect(stat(folder('unneeded'))).rejects.toThrow(/ENOENT/)
  })

  test.runIf(isRoot())('are copied once when the account cannot reach them', async () => {
    const account = await chooseSystemUser()
    await mkdir(folder('closed'), { mode: 0o700 })
    const packaged = { ...(await locateBinaries()), directory: folder('closed/native') }
    await copyWithoutLinks(packaged.directory)
    await chmod(packaged.directory, 0o700)
    const options = { packaged, account, copiesDirectory: folder('copies') }

    const [first, second] = await Promise.all([prepareBinaries(options), prepareBinaries(options)])
    expect(path.dirname(first.directory)).toBe(folder('copies'))
    expect(second).toEqual(first)
    const { ino } = await stat(first.directory)
    expect(await prepareBinaries(options)).toEqual(first)
    expect((await stat(first.directory)).ino).toBe(ino)
  })
})

async function copyWithoutLinks(directory: string): Promise<void> {
  await cp((await locateBinaries()).directory, directory, { recursive: true })
  for (const entry of await readdir(path.join(directory, 'lib'), { withFileTypes: true })) {
    if (entry.isSymbolicLink()) await rm(path.join(entry.parentPath, entry.name))
  }
}

describe.runIf(isRoot())('a gateway that runs as root', () => {
  test('keeps its database in its data folder as another user, even if that user cannot enter the folder', async () => {
    await mkdir(folder('home/data'), { recursive: true })
    await chmod(folder('home'), 0o700)
    await chmod(folder('home/data'), 0o700)
    const first = await playground.start(folder('home/data'))
    expect(first.directory).toBe(folder('home/data/postgres'))
    expect((await stat(first.directory)).uid).toBe((await chooseSystemUser())?.uid)
    await query(first, `create table fruit as select 'plum' as name`)
    const sentence = `Another gateway is running on the database in ${first.directory}. Stop it, or give this gateway its own data folder.`
    expect(await playground.spawnGateway(folder('home/data')).ended).toBe(sentence)
    await first.stop()

    await chmod(folder('home'), 0o755)
    await chmod(folder('home/data'), 0o755)
    const second = await playground.start(folder('home/data'))
    expect(second.directory).toBe(first.directory)
    expect(await query(second, 'select name from fruit')).toEqual([{ name: 'plum' }])
    await second.stop()
    expect((await stat(folder('home/data'))).mode & 0o777).toBe(0o755)
  })

  test('continues with a database that an earlier gateway created in a system folder', async () => {
    const first = await playground.start(folder('earlier'))
    await query(first, `create table fruit as select 'plum' as name`)
    await first.stop()
    await mkdir(folder('system/clusters'), { recursive: true })
    await rename(first.directory, folder('system/clusters/0123'))
    await symlink(folder('system/clusters/0123'), first.directory)

    const second = await playground.start(folder('earlier'))
    expect(second.directory).toBe(folder('system/clusters/0123'))
    expect(await query(second, 'select name from fruit')).toEqual([{ name: 'plum' }])
    await second.stop()
  })

  test('continues with the database of a gateway that did not run as root, as the user that owns it', async ({
    skip,
  }) => {
    const account = { uid: 65534, gid: 65534 }
    const reachable = await mayEnter(import.meta.dirname, account)
    skip(!reachable, 'this clone lies where other users cannot go')
    await mkdir(folder('handed-over'))
    await chown(folder('handed-over'), account.uid, account.gid)
    const gateway = playground.spawnGateway(folder('handed-over'), account)
    expect((await gateway.ready)?.directory).toBe(folder('handed-over/postgres'))
    gateway.process.kill('SIGTERM')
    expect(await gateway.ended).toBe('')

    const server = await playground.start(folder('handed-over'))
    expect((await stat(server.directory)).uid).toBe(account.uid)
    expect(await query(server, 'select 1 as one')).toEqual([{ one: 1 }])
    await server.stop()
  })
})
