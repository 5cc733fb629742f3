// The other gateways of the database, and what they pass on to this one.
import { createNeighbours, type Neighbours } from '#platform/neighbours/neighbours.ts'
import { readOrCreateSecret } from '#platform/secret-file.ts'
import type { AppContext } from './context.ts'
import type { Money } from './money.ts'
import type { Store } from './store.ts'

export async function openNeighbours(
  { config, clock, log, onClose }: AppContext,
  { database, secret, secretFile }: Store,
  { ledger }: Pick<Money, 'ledger'>,
): Promise<Neighbours> {
  const neighbours = createNeighbours({
    database,
    gatewayNumber: ledger.gatewayNumber,
    machine: await readOrCreateSecret(secretFile('machine-id')),
    secret: await secret('gateway-requests'),
    address: config.GATEWAY_INTERNAL_URL,
    host: config.GATEWAY_INTERNAL_HOST,
    port: config.GATEWAY_INTERNAL_PORT,
    clock,
    log,
  })
  onClose(neighbours.close)
  return {
    ...neighbours,
    async listen(callers) {
      await neighbours.listen(callers)
      if (config.S3_BUCKET === undefined && (await neighbours.countElsewhere()) > 0)
        log.warn({}, filesAreHere)
    },
  }
}

const filesAreHere =
  'Another gateway of this database is on another machine, and files of callers are in DATA_DIR/files. Set S3_BUCKET, or let all gateways share that folder: otherwise a file is read only where it was stored.'
