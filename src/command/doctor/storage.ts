// The data folder, its disk and the database.
import { access, constants, stat, statfs } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { openServers } from '#platform/database/servers.ts'
import { locateBinaries } from '#platform/postgres/binaries.ts'
import { isClusterRunning } from '#platform/postgres/copy.ts'
import { errorMessageOf } from '#platform/thrown.ts'
import { explainStartFailure } from '#start/start-failure.ts'
import type { Config } from '../../config.ts'
import { attention, type Diagnosis, good, problem } from './diagnosis.ts'

const bytesPerGigabyte = 1_000_000_000
/** Below this the embedded PostgreSQL may end for lack of room. */
const freeBytesMin = bytesPerGigabyte / 4
const freeBytesWanted = 2 * bytesPerGigabyte
const connectTimeoutMs = 5_000
const serverMajorMin = 14

/** The folder, or the nearest one above it that exists. */
async function existing(folder: string): Promise<string> {
  const isThere = await stat(folder).catch(() => undefined)
  return isThere === undefined ? existing(path.dirname(folder)) : folder
}

export async function checkDataFolder(dataDir: string): Promise<Diagnosis> {
  const subject = 'Data folder'
  const place = await existing(dataDir)
  if (!(await stat(place)).isDirectory())
    return problem(subject, `${place} is a file.`, 'Move it away, or set DATA_DIR.')
  const isWritable = await access(place, constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  )
  if (!isWritable)
    return problem(
      subject,
      `This user cannot write to ${place}.`,
      `Give this user the folder: chown ${process.getuid?.()} ${place}. Or set DATA_DIR.`,
    )
  return good(subject, place === dataDir ? dataDir : `The first start creates ${dataDir}.`)
}

export async function checkDisk(dataDir: string): Promise<Diagnosis> {
  const subject = 'Disk'
  const { bavail, bsize } = await statfs(await existing(dataDir))
  const bytes = bavail * bsize
  const says = `${(bytes / bytesPerGigabyte).toFixed(1)} GB are free for ${dataDir}.`
  const fix = 'Free some space, or move DATA_DIR to a larger disk.'
  if (bytes < freeBytesMin) return problem(subject, says, fix)
  return bytes < freeBytesWanted ? attention(subject, says, fix) : good(subject, says)
}

export function checkDatabase(config: Config, dataDir: string): Promise<Diagnosis> {
  return config.DATABASE_URL === undefined
    ? checkEmbedded(dataDir)
    : checkServer(config.DATABASE_URL, config)
}

async function checkEmbedded(dataDir: string): Promise<Diagnosis> {
  const subject = 'Database'
  try {
    const { version } = await locateBinaries()
    const isRunning = await isClusterRunning(dataDir)
    const state = isRunning ? 'it runs' : 'it starts with the gateway'
    return good(subject, `The embedded PostgreSQL ${version}: ${state}.`)
  } catch (error) {
    return problem(
      subject,
      errorMessageOf(error),
      'Install the packages again, or set DATABASE_URL.',
    )
  }
}

async function checkServer(connectionString: string, config: Config): Promise<Diagnosis> {
  const subject = 'Database'
  let client: pg.Client | undefined
  try {
    client = await openServers(connectionString).connect({
      connectionTimeoutMillis: connectTimeoutMs,
    })
    const { rows } = await client.query(
      `select current_setting('server_version') as version, has_database_privilege(current_database(), 'CREATE') as creates`,
    )
    const { version, creates } = rows[0]
    if (Number.parseInt(version, 10) < serverMajorMin)
      return problem(
        subject,
        `PostgreSQL ${version} is too old.`,
        `Use PostgreSQL ${serverMajorMin} or newer.`,
      )
    if (!creates)
      return problem(
        subject,
        'The user of DATABASE_URL may not create schemas in this database.',
        'Make it the owner: ALTER DATABASE … OWNER TO …',
      )
    return good(subject, `PostgreSQL ${version} answers.`)
  } catch (error) {
    return problem(
      subject,
      explainStartFailure(error, config),
      'docs/operate/README.md shows DATABASE_URL.',
    )
  } finally {
    await client?.end().catch(() => undefined)
  }
}
