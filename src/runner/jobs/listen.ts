// Listens for queued jobs. pg-boss could do this itself, but it removes its error listener before it ends a broken
// connection, and a late error would then end the process.
import type { Client } from 'pg'
import type { PgBoss } from 'pg-boss'
import type { Clock } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'

/** Delay before the next attempt to connect. Until then jobs are polled for. */
const reconnectDelayMs = 1_000

export function createListen({
  database,
  clock,
}: {
  database: Database
  clock: Clock
}): NonNullable<ReturnType<PgBoss['getDb']>['listen']> {
  return async (channel, onNotification, onReconnect) => {
    const closing = new AbortController()

    async function open() {
      const client = await database.connect()
      const ended = new Promise<void>((resolve) => client.once('end', resolve))
      client.on('notification', ({ payload }) => {
        if (payload !== undefined) onNotification(payload)
      })
      await client.query(`listen "${channel}"`).catch((error) => endThenThrow(client, error))
      onReconnect()
      return { client, ended }
    }

    async function reopen() {
      for (;;) {
        await clock.sleep(reconnectDelayMs, closing.signal)
        const opened = await open().catch(() => undefined)
        if (opened !== undefined) return opened
      }
    }

    let current = await open()
    const listening = (async () => {
      while (!closing.signal.aborted) {
        await current.ended
        current = await reopen()
      }
    })().catch(() => {}) // Only `close` interrupts the wait for the next try.
    return {
      async close() {
        closing.abort()
        await current.client.end()
        await listening
        await current.client.end()
      },
    }
  }
}

async function endThenThrow(client: Client, error: unknown): Promise<never> {
  await client.end()
  throw error
}
