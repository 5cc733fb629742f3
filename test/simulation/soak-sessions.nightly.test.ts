// SOAK_MINUTES and SOAK_SEED set how long it takes and the sequence of moves: `npm run soak-sessions 30`.
import { randomInt } from 'node:crypto'
import { expect, test } from 'vitest'
import { makeDataDirectory, removeDataDirectory } from '#test/data-directory.ts'
import { createTestDatabase } from '#test/database.ts'
import { until } from '#test/until.ts'
import { startSessionGateway } from './session-gateway-process.ts'
import { soakSessions } from './soak-sessions.ts'

const minutes = Number(process.env.SOAK_MINUTES ?? 0.25)
const seed = Number(process.env.SOAK_SEED ?? randomInt(2 ** 31))

test(
  `${minutes} minutes of sessions with kills (seed ${seed}): every charge is the price of its use, and nothing is left`,
  async () => {
    const dataDir = await makeDataDirectory()
    const gateway = await startSessionGateway(await createTestDatabase(), dataDir)
    try {
      const result = await soakSessions(gateway, { minutes, seed, callers: 8, killEveryMs: 15_000 })
      await until(async () => {
        await gateway.closeAll()
        return (await gateway.problems()).length === 0
      }).catch(() => {})
      const sessions = await gateway.database.query(
        `select close_reason, count(*)::integer as sessions, sum((used ->> 'box')::bigint)::integer as seconds,
           sum(settled)::bigint / 10000 as cents
         from session group by 1 order by 1`,
      )
      process.stdout.write(`${JSON.stringify({ ...result, sessions }, null, 1)}\n`)
      expect(await gateway.problems()).toEqual([])
      expect(sessions.length).toBeGreaterThan(0)
    } finally {
      await gateway.closeAll().catch(() => {})
      await gateway.stop()
      await removeDataDirectory(dataDir)
    }
  },
  minutes * 60_000 + 240_000,
)
