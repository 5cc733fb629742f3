// Inboxes on the operator's domains.
import type { StandIns } from '#core/catalog.ts'
import type { OpenCallerFiles } from '#core/files.ts'
import type { Clock, Log } from '#core/ports.ts'
import type { Database } from '#platform/database/database.ts'
import { type CheckSender, createAuthentication } from './authentication.ts'
import { createDelivery } from './delivery.ts'
import { createDirectory } from './directory.ts'
import { type CheckedDomain, createDnsCheck } from './dns-check.ts'
import { createMailRows } from './mail-rows.ts'
import { createMessageReader } from './message-reader.ts'
import { createNotices, type SendNotice } from './notices.ts'
import { createRelay, type DkimKey } from './relay.ts'
import { createSending } from './sending.ts'
import { createMailServer, type MailServer } from './smtp-server.ts'
import { createMailStandIns } from './stand-ins.ts'
import { createStrangers, type StrangerLimits } from './strangers.ts'

export interface Mail {
  readonly standIns: StandIns
  readonly server: MailServer
  /** Writes to people on behalf of the gateway. Undefined: it sends no mail of its own. */
  readonly sendNotice: SendNotice | undefined
  /** Asks the name servers whether mail can reach this gateway, and be trusted by others. */
  inspect(): Promise<MailReport>
  /** Drops messages past their time. */
  forgetOld(): Promise<void>
  close(): Promise<void>
}

export interface MailReport {
  readonly domains: readonly CheckedDomain[]
  readonly receives: boolean
  readonly sends: boolean
  readonly signs: boolean
  /** The inbox for mail to the operator; undefined without the setting. */
  readonly postmaster: { readonly inbox_id: string; readonly exists: boolean } | undefined
}

export function createMail(dependencies: {
  readonly database: Database
  readonly filesOf: OpenCallerFiles
  readonly clock: Clock
  readonly log: Log
  /** Domains of the operator, the default first. */
  readonly domains: readonly string[]
  /** The inbox for mail to the operator. */
  readonly postmaster: string | undefined
  readonly hostname: string
  readonly tls: { readonly cert: string; readonly key: string } | undefined
  readonly relay: { readonly url: string; readonly dkim: DkimKey | undefined } | undefined
  /** How many strangers an account may write to. */
  readonly strangerLimits: StrangerLimits
  /** The sender of mail of the gateway itself. */
  readonly sender: string | undefined
  readonly missing: string | undefined
  readonly authenticate?: CheckSender | undefined
}): Mail {
  const { hostname, postmaster, missing } = dependencies
  const relay = dependencies.relay && createRelay({ ...dependencies.relay, hostname })
  const checkDns = createDnsCheck({ ...dependencies, dkim: dependencies.relay?.dkim })
  const rows = createMailRows(dependencies)
  const reader = createMessageReader()
  const strangers = createStrangers({ ...dependencies, limits: dependencies.strangerLimits })
  const delivery = createDelivery({ ...dependencies, rows, reader, strangers })
  const directory = createDirectory({ ...dependencies, rows })
  const send = createSending({
    ...dependencies,
    rows,
    directory,
    delivery,
    strangers,
    relay,
  })
  return {
    standIns: createMailStandIns({ ...dependencies, rows, send }),
    server: createMailServer({
      ...dependencies,
      rows,
      directory,
      delivery,
      authenticate: dependencies.authenticate ?? createAuthentication({ hostname }),
    }),
    sendNotice: createNotices({ ...dependencies, relay }),
    inspect: async () => ({
      domains: await checkDns(),
      receives: missing === undefined,
      sends: relay !== undefined,
      signs: dependencies.relay?.dkim !== undefined,
      postmaster:
        postmaster === undefined
          ? undefined
          : {
              inbox_id: postmaster,
              exists: (await rows.at(postmaster)) !== undefined,
            },
    }),
    async forgetOld() {
      await rows.forgetOld()
      await strangers.forgetOld()
    },
    close: reader.close,
  }
}
