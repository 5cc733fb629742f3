// Rented browsers, put together.
import type { OpenAccess } from '#core/access/open-access.ts'
import type { OpenCallerFiles } from '#core/files.ts'
import type { Clock, Log, UrlSigner } from '#core/ports.ts'
import {
  type ConfinedChromium,
  findConfinable,
  openConfinedChromiums,
} from '#platform/chromium/confined-chromium.ts'
import type { Database } from '#platform/database/database.ts'
import type { Dial } from '#platform/egress/dial.ts'
import type { EgressGuard } from '#platform/egress/guard.ts'
import type { Sandbox } from '#platform/sandbox/sandbox.ts'
import { createBrowserAddresses } from './addresses.ts'
import { egressBytesMax, pageIdleTimeoutMs } from './limits.ts'
import { createMinuteMeter } from './minute-meter.ts'
import { openRecordings } from './recording/recordings.ts'
import { createRentedBrowsers } from './rented-browsers.ts'
import { createBrowserSessionRows } from './session-rows.ts'
import { createBrowserStandIns } from './stand-ins.ts'
import { createVendorMinutes } from './vendor-minutes.ts'

export interface RentedBrowsersDependencies {
  readonly database: Database
  readonly guard: EgressGuard
  /** The operator's proxies, by country. */
  readonly dials: ReadonlyMap<string, Dial>
  readonly sandbox: Sandbox
  readonly signer: UrlSigner
  readonly access: Pick<OpenAccess, 'enter'>
  readonly baseUrl: () => string
  readonly filesOf: OpenCallerFiles
  /** Has the vendor end now what is over here. */
  readonly endAtVendor: () => Promise<void>
  /** Keeps the pictures of recordings until they are encoded. */
  readonly recordingsFolder: string
  readonly gatewayNumber: number
  /** The operator's Chromium. Default: the first in the usual places. */
  readonly program: string | undefined
  /** Chromium's own sandbox, inside the box. */
  readonly chromiumSandbox: boolean
  readonly limits: {
    readonly browsersMax: number
    readonly perAccountMax: number
    readonly memoryBytesMax: number
  }
  readonly clock: Clock
  readonly log: Log
}

export async function openRentedBrowsers(dependencies: RentedBrowsersDependencies) {
  const { dials, limits } = dependencies
  const { perAccountMax, browsersMax } = limits
  const rows = createBrowserSessionRows({ ...dependencies, perAccountMax })
  const machine = await openMachine(dependencies)
  const recordings = await openRecordings({
    ...dependencies,
    rows,
    folder: dependencies.recordingsFolder,
  })
  const browsers = createRentedBrowsers({
    ...dependencies,
    rows,
    recordings,
    browsersMax,
    launch: machine.launch,
    dialOf: (country) => dials.get(country),
  })
  const addresses = createBrowserAddresses(dependencies)
  const { missing } = machine
  const countries = [...dials.keys()]
  /** Ends a session, here or at the vendor. Undefined when there is none. */
  async function end(id: string, reason: 'closed' | 'operator') {
    const session = await rows.find(id)
    if (session?.gatewayId !== null) return session && (await browsers.release(id, reason))
    await rows.endAtVendor(id, reason)
    await dependencies.endAtVendor()
    return await rows.find(id)
  }
  return {
    browsers,
    addresses,
    minutes: createVendorMinutes(rows),
    endDue: rows.endDue,
    standIns: createBrowserStandIns({
      rows,
      browsers,
      addresses,
      countries,
      missing,
      cannotRecord: recordings.missing,
    }),
    listActive: rows.listActive,
    find: rows.find,
    forgetOld: rows.forgetOld,
    /** For the operator. */
    end: (id: string) => end(id, 'operator'),
    meter: createMinuteMeter({
      ...dependencies,
      rows,
      end: (id) => end(id, 'closed'),
    }),
    places: () => ({ open: browsers.count(), most: browsersMax }),
    /** For the operator. */
    health: () => ({
      ok: missing === undefined,
      ...(missing === undefined ? {} : { reason: missing }),
      open: browsers.count(),
      at_once_max: browsersMax,
      per_account_max: perAccountMax,
      memory_bytes_max: limits.memoryBytesMax,
      recording: recordings.missing ?? 'ready',
    }),
    async close() {
      await browsers.close()
      await recordings.close()
      await machine.close()
    },
  }
}

/** What runs browsers here, and what is missing for it. */
async function openMachine(dependencies: RentedBrowsersDependencies) {
  const { guard, sandbox, chromiumSandbox, limits } = dependencies
  const { memoryBytesMax } = limits
  const program = await findConfinable(dependencies.program)
  const chromiums = await openConfinedChromiums()
  return {
    missing:
      program === undefined
        ? 'Chromium is not installed: install the package chromium, or set CHROMIUM_WHOLE_PATH.'
        : await sandbox.missing(),
    async launch(dial: Dial | undefined, signal: AbortSignal): Promise<ConfinedChromium> {
      if (program === undefined) throw new Error('Chromium is not installed.')
      const egress = { bytesMax: egressBytesMax, idleTimeoutMs: pageIdleTimeoutMs, dial }
      const chromium = { program, sandbox: chromiumSandbox, guard, egress, memoryBytesMax }
      return await chromiums.launch(chromium, signal)
    },
    close: chromiums.close,
  }
}
