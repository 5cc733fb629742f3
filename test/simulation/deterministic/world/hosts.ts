// Hosts: their gateways start, are killed and stop, and start again.
import pg from 'pg'
import type { Log } from '#core/ports.ts'
import { isTransient } from '#platform/database/database.ts'
import { createClock } from '../machine/globals.ts'
import { createProcess } from '../machine/scheduler.ts'
import { startGateway } from './gateway.ts'
import { createVendor } from './vendor.ts'
import type { Host, World } from './world.ts'

function createLog({ trace, violate }: World, host: Host): Log {
  const at = (level: string) => (fields: object, message: string) => {
    const { err } = fields as { err?: Error }
    trace(`${host.name} ${level}: ${message}${err === undefined ? '' : ` (${err.message})`}`)
    if (level === 'error' && err instanceof pg.DatabaseError && !isTransient(err))
      violate(`the database refused: ${err.message}`)
  }
  return { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }
}

export function startHost(world: World, host: Host) {
  const { scheduler, faults, random, server, promises, savedParts, nextNumber, trace } = world
  const { clockAheadMs } = host.process
  const process = { ...createProcess(host.name), clockAheadMs }
  host.process = process
  const clock = createClock(scheduler, process)
  scheduler.after(process, 0, () => {
    startGateway({
      database: server.open(process),
      clock,
      log: createLog(world, host),
      journalDirectory: `/simulated/${host.name}`,
      vendor: createVendor({ random: random.fork(), faults, clock, nextNumber }),
      onFailed: promises.fail,
      nextNumber,
      savedParts,
      trueNowMs: scheduler.nowMs,
      onRepeated: (part) => {
        if (!world.failedOver) world.violate(`a saved part of a job was done again: ${part}`)
      },
    }).then(
      (gateway) => {
        if (!process.isDead) host.gateway = gateway
      },
      (error) => {
        trace(`${host.name} did not start: ${error.message}`)
        killHost(world, host)
      },
    )
  })
}

export function killHost(world: World, host: Host) {
  const { process } = host
  if (process.isDead) return
  process.isDead = true
  host.gateway = undefined
  world.trace(`${host.name} is killed`)
  for (const request of host.asked) request.lose()
  host.asked.clear()
  world.server.disconnect(process)
  const downMs = world.random.between(0, 4_000)
  world.scheduler.after(world.process, downMs, () => startHost(world, host))
}

export function stopHost(world: World, host: Host) {
  const { gateway, process } = host
  if (gateway === undefined) return
  host.gateway = undefined
  world.trace(`${host.name} stops`)
  world.scheduler.after(process, world.random.between(0, 2_000), () => {
    gateway.close().then(
      () => killHost(world, host),
      (error) => world.violate(`a gateway did not stop: ${error.message}`),
    )
  })
}
