// Browsers that callers rent: of this machine where it has Chromium and bubblewrap, or of the vendor.
import path from 'node:path'
import { openRentedBrowsers } from '#features/machines/browser/open.ts'
import type { Files } from '#features/storage/files/files.ts'
import { createProxiedDial } from '#platform/egress/operator-proxies.ts'
import type { VendorEndings } from '#runner/sessions/vendor-endings.ts'
import type { AppContext } from './context.ts'
import type { Money } from './money.ts'
import type { ReadingRoom } from './reading.ts'
import type { Store } from './store.ts'

export type BrowserRoom = Awaited<ReturnType<typeof openBrowsers>>

const bytesPerMegabyte = 1_000_000

export async function openBrowsers(
  context: AppContext,
  {
    store,
    money,
    reading,
    files,
    endings,
  }: {
    store: Store
    money: Money
    reading: ReadingRoom
    files: Files
    endings: Pick<VendorEndings, 'keepUp'>
  },
) {
  const { config, clock, log, sandbox, baseUrl, onClose } = context
  const { guard } = reading
  const dials = new Map(
    [...config.BROWSER_PROXIES].map(([country, proxies]) => [
      country,
      createProxiedDial({ guard, proxies, clock }),
    ]),
  )
  const room = await openRentedBrowsers({
    guard,
    dials,
    sandbox,
    baseUrl,
    clock,
    log,
    database: store.database,
    signer: store.signer,
    access: store.access,
    filesOf: files.ofCaller,
    endAtVendor: () => endings.keepUp('ns_browser'),
    recordingsFolder: path.join(config.DATA_DIR, 'recordings'),
    gatewayNumber: money.ledger.gatewayNumber,
    program: config.CHROMIUM_WHOLE_PATH ?? config.CHROMIUM_PATH,
    chromiumSandbox: config.CHROMIUM_SANDBOX === 'on',
    limits: {
      browsersMax: config.BROWSERS_AT_ONCE,
      perAccountMax: config.BROWSERS_PER_ACCOUNT,
      memoryBytesMax: config.BROWSER_MEMORY_MB * bytesPerMegabyte,
    },
  })
  onClose(room.close)
  return room
}
