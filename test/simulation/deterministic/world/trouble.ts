// What happens to hosts and to the database, at any time and right after what must last.
import { killHost, stopHost } from './hosts.ts'
import type { Host, World } from './world.ts'

async function crashDatabase({ server, trace }: World) {
  trace(`the database crashes, and forgets ${await server.crash()} commits`)
}

/** What a caller was told must last from this moment on. */
export function troubleAfterReply(world: World, host: Host) {
  const { faults, random, scheduler } = world
  const { process } = host
  const soonMs = random.between(0, random.pick([10, 400]))
  if (faults.happens('kill after a reply'))
    scheduler.after(world.process, soonMs, () => host.process === process && killHost(world, host))
  if (faults.happens('database crash after a reply'))
    scheduler.after(world.process, soonMs, () => crashDatabase(world))
}

/** A crash may take this commit back. */
export function troubleAfterCommit(world: World) {
  if (world.faults.happens('database crash after a commit'))
    world.scheduler.after(world.process, world.random.between(0, 60), () => crashDatabase(world))
}

export function scheduleTrouble(world: World) {
  const { faults, random, scheduler, server } = world
  scheduler.after(world.process, random.between(50, 3_000), async () => {
    if (world.isOver) return
    const host = random.pick(world.hosts)
    if (faults.happens('kill')) killHost(world, host)
    if (faults.happens('stop')) stopHost(world, host)
    if (faults.happens('stall'))
      host.process.stalledUntilMs = scheduler.nowMs() + random.between(50, 4_000)
    if (faults.happens('clock jump')) host.process.clockAheadMs += random.between(-5_000, 5_000)
    if (faults.happens('database crash')) await crashDatabase(world)
    if (faults.happens('failover')) {
      world.failedOver = true
      world.trace(`another server takes over, without ${await server.failOver()} commits`)
    }
    scheduleTrouble(world)
  })
}
