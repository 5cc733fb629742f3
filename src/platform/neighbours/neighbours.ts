// The other gateways of this database.
import type { Clock, Log } from '#core/ports.ts'
import type { Database } from '../database/database.ts'
import { createCalling } from './calling.ts'
import { type CallersDoor, createNeighbourDoor } from './door.ts'
import { createErrands } from './errands.ts'
import { createGatewayRows } from './gateway-rows.ts'
import { createPassing } from './passing.ts'
import { createRequestCheck } from './signature.ts'

interface NeighboursDependencies {
  readonly database: Database
  readonly gatewayNumber: number
  /** The name of the machine whose disk this gateway uses. */
  readonly machine: string
  /** Known to the gateways of this database only. */
  readonly secret: string
  /** Where others reach this one. Undefined: they do not. */
  readonly address: string | undefined
  readonly host: string | undefined
  readonly port: number | undefined
  readonly clock: Clock
  readonly log: Log
}

const defaultPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

export function createNeighbours(dependencies: NeighboursDependencies) {
  const { gatewayNumber, machine, address, log } = dependencies
  const rows = createGatewayRows(dependencies)
  const calling = createCalling(dependencies)
  const errands = createErrands({ rows, calling, log })
  const door = createNeighbourDoor({ check: createRequestCheck(dependencies), errands })
  const { isPassedOn } = door
  const passing = createPassing({ rows, calling, isPassedOn })

  /** Where others reach it once it listens. */
  async function listenAt(callers: CallersDoor): Promise<string | undefined> {
    if (address === undefined) return undefined
    const url = new URL(address)
    const port = dependencies.port ?? Number(url.port || defaultPorts[url.protocol])
    const host = dependencies.host ?? url.hostname.replace(/^\[|\]$/g, '')
    door.serve(callers)
    const found = await door.listen(port, host)
    if (url.port === '0') url.port = String(found)
    return url.origin
  }

  return {
    machine,
    gatewayNumber,
    isPassedOn,
    passing,
    define: errands.define,
    countElsewhere: rows.countElsewhere,
    /** Listens for other gateways, and tells them so. */
    async listen(callers: CallersDoor): Promise<void> {
      await rows.register(await listenAt(callers))
    },
    async close(): Promise<void> {
      await rows.close()
      await door.close()
      calling.close()
    },
  }
}

export type Neighbours = ReturnType<typeof createNeighbours>
