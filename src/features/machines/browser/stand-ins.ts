// Browsers of this machine in place of the vendor's.
import { rightOf } from '#core/access/open-access.ts'
import type { RunContext } from '#core/action.ts'
import type { Caller } from '#core/caller.ts'
import type { StandIn, StandIns } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { centsToMicros } from '#core/money.ts'
import type { BrowserAddresses } from './addresses.ts'
import { recordingFailures } from './recording/failures.ts'
import type { RentedBrowsers } from './rented-browsers.ts'
import type { BrowserSession, BrowserSessionRows } from './session-rows.ts'

interface Creating {
  readonly estimatedMinutes: number
  readonly keepAlive?: boolean
  readonly proxies?: { readonly country: string }
  readonly recording?: boolean
}
interface Naming {
  readonly session_id: string
}
type Extending = Naming & Pick<Creating, 'estimatedMinutes'>

const provider = 'embedded'

export function createBrowserStandIns({
  rows,
  browsers,
  addresses,
  countries,
  missing,
  cannotRecord,
}: {
  readonly rows: BrowserSessionRows
  readonly browsers: RentedBrowsers
  readonly addresses: BrowserAddresses
  /** Those in which the operator has a proxy. */
  readonly countries: readonly string[]
  /** What this machine lacks to run browsers. */
  readonly missing: string | undefined
  /** What it lacks to record them. */
  readonly cannotRecord: string | undefined
}): StandIns {
  const describe = (session: BrowserSession, caller: Caller) => {
    const { id, status, paidMinutes, remainingMs, expiresAt, keepAlive } = session
    return {
      sessionId: id,
      status,
      alive: status === 'active',
      paidMinutes,
      expiresAt,
      keepAlive,
      remainingSeconds: Math.floor(remainingMs / 1_000),
      ...(status === 'active' && addresses.of(session, rightOf(caller).keyId)),
      ...describeRecording(session),
      provider,
    }
  }

  async function create({ input, caller, signal, maxCents, effect }: RunContext<Creating>) {
    const { estimatedMinutes: minutes, keepAlive = false, recording: isRecorded = false } = input
    const terms = { keepAlive, isRecorded, country: input.proxies?.country }
    const order = { ...terms, caller, minutes, charged: centsToMicros(maxCents), effect }
    return describe(await browsers.create(order, signal), caller)
  }

  async function extend({ input, caller, maxCents, effect }: RunContext<Extending>) {
    const { session_id: id, estimatedMinutes: minutes } = input
    const session = await rows.extend(id, { minutes, charged: centsToMicros(maxCents) }, effect)
    browsers.notice(id)
    return describe(session, caller)
  }

  const status = async ({ input, caller }: RunContext<Naming>) =>
    describe((await rows.find(input.session_id)) ?? gone(), caller)

  async function release({ input, caller }: RunContext<Naming>) {
    return describe((await browsers.release(input.session_id)) ?? gone(), caller)
  }

  const standIn = (run: StandIn['run'], check: StandIn['check'] = () => {}): StandIn => ({
    run,
    check,
    ...(missing === undefined ? {} : { missing }),
  })

  return new Map([
    [
      'ns_browser/create_session',
      standIn(create, ({ proxies, recording }: Creating) => {
        refuseCountry(proxies?.country, countries)
        if (recording) refuseRecording(cannotRecord)
      }),
    ],
    ['ns_browser/extend_session', standIn(extend)],
    ['ns_browser/session_status', standIn(status)],
    ['ns_browser/release_session', standIn(release)],
  ])
}

function describeRecording(session: BrowserSession) {
  const { recording, recordingFileId: file_id, recordingFailure: failure } = session
  if (recording === null) return {}
  const unfinished = session.status === 'active' ? 'recording' : 'encoding'
  const status = recording === 'pending' ? unfinished : recording
  return { recording: { status, file_id, ...(failure && { reason: recordingFailures[failure] }) } }
}

function refuseRecording(cannotRecord: string | undefined): void {
  if (cannotRecord === undefined) return
  throw fail('bad_request', {
    message: `This gateway cannot record browsers: leave recording out. Nothing was charged. For its operator: ${cannotRecord}`,
  })
}

function gone(): never {
  throw fail('not_found', {
    message: 'There is no such browser session. Sessions are forgotten 30 days after their end.',
  })
}

function refuseCountry(country: string | undefined, countries: readonly string[]): void {
  if (country === undefined || countries.includes(country)) return
  const known =
    countries.length === 0
      ? 'This gateway has no proxies by country: leave proxies out.'
      : `This gateway has proxies in ${countries.join(', ')} only.`
  throw fail('bad_request', { message: `${known} Nothing was charged.`, data: { countries } })
}
