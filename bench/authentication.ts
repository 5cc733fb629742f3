// One check of an API key in the database, as each request pays for it, against `select 1` on the same pool. Among 100,000
// keys; interleaved in one run, medians of five rounds.
import { rm } from 'node:fs/promises'
import { createAccounts } from '#accounts/accounts.ts'
import { createAuthentication } from '#accounts/authentication.ts'
import { createKeys } from '#accounts/keys.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { openDatabase } from '#platform/database/database.ts'
import { migrate } from '#platform/database/migrate.ts'
import { startEmbeddedPostgres } from '#platform/postgres/embedded.ts'
import { makeDataDirectory } from '../test/data-directory.ts'
import { silentLog as log } from '../test/silent-log.ts'

const keysStored = 100_000
const callersTried = [1, 8, 32, 128]
const rounds = 5
const sliceMs = 500

const dataDir = await makeDataDirectory()
const postgres = await startEmbeddedPostgres({ dataDir, log })
const database = openDatabase({ connectionString: postgres.connectionString, log })
await migrate(database)
const { accountId } = await createAccounts({ database, clock }).create()
const secrets: string[] = []
for (const _caller of Array(64).keys())
  secrets.push((await createKeys({ database, clock }).create({ accountId })).secret)
await database.query(
  `insert into api_key (id, account_id, hash, prefix)
   select gen_random_uuid(), $1, sha256(n::text::bytea), 'tw_live_none' from generate_series(1, $2::integer) n`,
  [accountId, keysStored],
)
await database.query('analyze api_key')
const authenticate = createAuthentication({ database, log })

/** Operations a second, and the microseconds of CPU of this process for each. */
async function measure(callers: number, work: (caller: number) => Promise<unknown>) {
  const end = performance.now() + sliceMs
  const before = process.cpuUsage()
  let done = 0
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (; performance.now() < end; done += 1) await work(caller)
    }),
  )
  const { user, system } = process.cpuUsage(before)
  return { perSecond: (done / sliceMs) * 1_000, cpuMicros: (user + system) / done }
}

const median = (values: readonly number[]) =>
  Math.round([...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0)

console.log(
  '| callers | select 1 /s | checks/s | check : select 1 | CPU µs select 1 | CPU µs check |',
)
console.log('| --- | --- | --- | --- | --- | --- |')
for (const callers of callersTried) {
  const plain = []
  const checks = []
  for (let round = 0; round < rounds; round += 1) {
    plain.push(await measure(callers, () => database.query('select 1')))
    checks.push(await measure(callers, (caller) => authenticate(secrets[caller % 64] ?? '')))
  }
  const [base, check] = [plain, checks].map((slices) => ({
    perSecond: median(slices.map(({ perSecond }) => perSecond)),
    cpuMicros: median(slices.map(({ cpuMicros }) => cpuMicros)),
  }))
  if (base === undefined || check === undefined) continue
  const ratio = (check.perSecond / base.perSecond).toFixed(2)
  console.log(
    `| ${callers} | ${base.perSecond} | ${check.perSecond} | ${ratio} | ${base.cpuMicros} | ${check.cpuMicros} |`,
  )
}
await database.close()
await postgres.stop()
await rm(dataDir, { recursive: true, force: true })
