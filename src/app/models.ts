// What models answer besides chats, and batches of their requests.
import type { FastifyInstance } from 'fastify'
import type { Keys } from '#accounts/keys/keys.ts'
import type { Speech } from '#core/speech.ts'
import { loadEncoder } from '#features/knowledge/discover/encoder.ts'
import { createBatches } from '#features/models/batches/batches.ts'
import type { LimitsOf } from '#features/models/batches/run-batch.ts'
import type { Meter } from '#features/models/llm/meter.ts'
import type { Files } from '#features/storage/files/files.ts'
import { once } from '#platform/once.ts'
import { addBatchRoutes } from '#surfaces/http/routes/models/batches.ts'
import { addModelFileRoutes } from '#surfaces/http/routes/models/files.ts'
import { addModelRoutes } from '#surfaces/http/routes/models/surfaces.ts'
import type { AppContext } from './context.ts'
import type { Money } from './money.ts'
import type { ReadingRoom } from './reading.ts'
import type { Store } from './store.ts'

export function addModelDoors(
  server: FastifyInstance,
  { clock, log, onClose }: AppContext,
  parts: {
    readonly store: Store
    readonly money: Money
    readonly reading: ReadingRoom
    readonly files: Files
    readonly speech: Speech
    readonly meter: Meter
  },
): void {
  const { store, money, reading, files, speech, meter } = parts
  const machine = { encoder: once(loadEncoder), speech }
  const { surfaces, endpoints } = reading.llm.createSurfaces(meter, machine)
  const batches = createBatches({
    database: store.database,
    filesOf: files.ofCaller,
    endpoints,
    limitsOf: limitsOf(store.keys),
    access: store.access,
    gatewayNumber: money.ledger.gatewayNumber,
    clock,
    log,
  })
  onClose(batches.close)
  addModelRoutes(server, { surfaces })
  addModelFileRoutes(server, files)
  addBatchRoutes(server, { batches })
}

/** A key that was revoked has none: its lines are refused. */
const limitsOf =
  (keys: Pick<Keys, 'find'>): LimitsOf =>
  async (accountId, keyId) => {
    const key = await keys.find(accountId, keyId)
    return {
      models: key?.models ?? undefined,
      requestsPerMinute: key?.requestsPerMinute ?? undefined,
      tokensPerMinute: key?.tokensPerMinute ?? undefined,
    }
  }
