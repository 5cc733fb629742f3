// How gateways know of each other which of them live.
import type { Clock, Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import type { ProcessPlaces } from '#platform/process-place.ts'
import { runEvery } from '#platform/recurring.ts'

const lookIntervalMs = 1_000
const lookAgainAfterMs = 250
/** Longer than the database waits before it takes a gateway for dead, unless its clock jumps. */
const settlesWithinMs = 5_000

interface Dependencies {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly places?: ProcessPlaces
}

export interface GatewayPresence {
  readonly gatewayNumber: number
  /**
   * Resolves when it is known of each gateway that has started so far whether it lives, so that a gateway which starts
   * can take over what those before it have left.
   */
  settled(): Promise<void>
  /** From now on others need not wait before they take over. The gateway has given back its connections by then. */
  leave(): Promise<void>
}

export async function enterGateways(dependencies: Dependencies): Promise<GatewayPresence> {
  const { database, clock, log, places } = dependencies
  const gatewayNumber = await takeGatewayNumber(database)
  await database.query('select note_gateway($1, $2)', [gatewayNumber, places?.own ?? null])

  /** Resolves to the gateways that may be dead. */
  async function look(): Promise<readonly number[]> {
    const missing = await database.query<{ number: number; place: string | null }>(
      'select number, place from look_for_gateways()',
    )
    const hasEnded = (place: string | null) => place !== null && places?.hasEnded(place) === true
    const ended = missing.filter(({ place }) => hasEnded(place)).map(({ number }) => number)
    if (ended.length > 0) await database.query('select forget_gateways($1)', [ended])
    return missing.map(({ number }) => number).filter((number) => !ended.includes(number))
  }

  const looking = runEvery(lookIntervalMs, look, (err) =>
    log.debug({ err }, 'The database did not say which gateways live.'),
  )
  return {
    gatewayNumber,
    async settled() {
      let doubtful = (await look()).filter((number) => number !== gatewayNumber)
      for (let waitedMs = 0; doubtful.length > 0; waitedMs += lookAgainAfterMs) {
        if (waitedMs >= settlesWithinMs) return
        await clock.sleep(lookAgainAfterMs)
        const missing = await look()
        doubtful = doubtful.filter((number) => missing.includes(number))
      }
    },
    async leave() {
      await looking.close()
      await database
        .query('select forget_gateways($1)', [[gatewayNumber]])
        .catch((err) => log.warn({ err }, 'This gateway could not tell the others that it ended.'))
    },
  }
}

/** A server that took over and lagged behind may hand out the number of a gateway that lives. */
async function takeGatewayNumber(database: Database): Promise<number> {
  for (;;) {
    const [row] = await database.query<{ number: number; isTaken: boolean }>(
      `select number, gateway_lives(number) as "isTaken" from (select nextval('gateway_number')::integer as number) n`,
    )
    if (row?.isTaken === false) return row.number
  }
}
