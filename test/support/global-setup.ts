// Starts one real PostgreSQL server for all tests of a run, with a template database that each test copies.
import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { TestProject } from 'vitest/node'
import { openDatabase } from '#platform/database/database.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { createApp } from '../../src/app.ts'
import { readConfig } from '../../src/config.ts'
import { makeDataDirectory } from './data-directory.ts'
import { silentLog } from './silent-log.ts'

declare module 'vitest' {
  interface ProvidedContext {
    databaseUrl: string
    /** The data folders of the gateways that workers keep. */
    workersFolder: string
  }
}

export const templateName = 'tollway_template'

const memoryFolder = '/dev/shm'
const bytesWanted = 2e9

/** Tests create and drop hundreds of databases, which takes a tenth of the time in memory. */
async function quickestFolder(): Promise<string> {
  const free = await statfs(memoryFolder).then(
    ({ bavail, bsize }) => bavail * bsize,
    () => 0,
  )
  return free >= bytesWanted ? memoryFolder : tmpdir()
}

interface TestServer {
  readonly url: string
  readonly workersFolder: string
  stop(): Promise<void>
}

async function startTestServer(): Promise<TestServer> {
  const dataDir = await makeDataDirectory(await quickestFolder())
  const server = await startEmbeddedPostgres({ dataDir, log: silentLog, connectionsMax: 400 })
  const database = openDatabase({ connectionString: server.connectionString, log: silentLog })
  await database.query(`create database ${templateName}`)
  await database.close()
  // The first start of a gateway creates the schema and the queue for all later ones.
  const config = readConfig({
    DATABASE_URL: databaseNamed(server.connectionString, templateName),
    DATA_DIR: dataDir,
    OPERATOR_CONTACT: 'tests@example.org',
  })
  const app = await createApp({ config, log: silentLog })
  await app.close()
  const workersFolder = await mkdtemp(path.join(tmpdir(), 'tollway-workers-'))
  // Programs in boxes run as another user.
  await chmod(workersFolder, 0o711)
  return {
    url: server.connectionString,
    workersFolder,
    async stop() {
      await server.stop()
      for (const folder of [dataDir, workersFolder])
        await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Vitest loads this file once per project, so the shared server is a property of the process. */
const run = globalThis as { testServer?: Promise<TestServer> }

export async function setup(project: TestProject) {
  run.testServer ??= startTestServer()
  const { url, workersFolder } = await run.testServer
  project.provide('databaseUrl', url)
  project.provide('workersFolder', workersFolder)
}

export async function teardown() {
  const server = run.testServer
  delete run.testServer
  await (await server)?.stop()
}

/** The same server, another database. */
export function databaseNamed(connectionString: string, name: string): string {
  return connectionString.replace(/\/[^/?]+(?=\?|$)/, `/${name}`)
}
