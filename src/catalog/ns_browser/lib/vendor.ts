// Browsers of the vendor. It sells no minutes and cannot extend a session, so each session is opened for the longest
// time, and the gateway releases it when its paid minutes are over.
import { type RunContext, z } from '#core/action.ts'
import { fail } from '#core/errors.ts'
import { path } from '#core/path.ts'
import type { ProviderHttp } from '#core/ports.ts'
import { browserMinutesMax, type PaidMinutes, type PaidSession } from '#core/session.ts'
import { requireIssued } from '../../lib/issued-id.ts'
import { didNotOpen, sessionId, showPaid } from './session-fields.ts'

export interface Opening {
  readonly estimatedMinutes: number
  readonly keepAlive?: boolean | undefined
  readonly proxies?: { readonly country: string } | undefined
  readonly recording?: boolean | undefined
}

const vendorSession = z.looseObject({
  id: z.string(),
  status: z.enum(['PENDING', 'RUNNING', 'ERROR', 'TIMED_OUT', 'COMPLETED']),
  startedAt: z.iso.datetime({ offset: true }),
  expiresAt: z.iso.datetime({ offset: true }),
  connectUrl: z.string().optional(),
  userMetadata: z.looseObject({ tollway: z.string().optional() }).nullish(),
})
type VendorSession = z.output<typeof vendorSession>

const minuteMs = 60_000
/** The vendor has ended the session already, or does not know it any more. */
const overStatuses = [404, 409, 410]

export async function openAtVendor(
  { input, http, ...call }: RunContext<Opening>,
  minutes: PaidMinutes,
) {
  const { estimatedMinutes, keepAlive, proxies, recording } = input
  if (recording)
    throw fail('bad_request', {
      message:
        'Recordings of this provider cannot be stored as files here: leave recording out. Nothing was charged.',
    })
  const { name, start } = await minutes.begin(call, estimatedMinutes)
  const session = read(
    await http.post('/v1/sessions', {
      timeout: browserMinutesMax * 60,
      userMetadata: { tollway: name },
      keepAlive,
      proxies: proxies && [{ type: 'browserbase', geolocation: { country: proxies.country } }],
    }),
  )
  const { id, connectUrl } = session
  try {
    if (!isRunning(session)) throw didNotOpen(session.status)
    requireIssued(sessionId, id)
    return { ...showPaid(await start(id)), connectUrl }
  } catch (thrown) {
    // One that is not released now is found by its name later.
    await releaseAtVendor(http, id).catch(() => {})
    throw thrown
  }
}

/** Releases the sessions of this name. Repeating it changes nothing. */
export async function releaseNamedAtVendor(http: ProviderHttp, name: string): Promise<void> {
  const query = { q: `user_metadata['tollway']:'${name}'` }
  const found = readList(await http.get('/v1/sessions', { query }))
  // A vendor that overlooks the query would list the sessions of others.
  const named = found.filter(({ userMetadata }) => userMetadata?.tollway === name)
  for (const session of named) if (isRunning(session)) await releaseAtVendor(http, session.id)
}

export async function extendAtVendor(
  { input, http, ...call }: RunContext<Pick<Opening, 'estimatedMinutes'> & { session_id: string }>,
  minutes: PaidMinutes,
) {
  const { session_id: id, estimatedMinutes } = input
  if (!isRunning(read(await http.get(path`/v1/sessions/${id}`)))) {
    await minutes.release(id, 'lost')
    throw fail('session_closed')
  }
  return showPaid(await minutes.extend(call, id, estimatedMinutes))
}

export async function statusAtVendor(
  { input: { session_id: id }, http, clock }: RunContext<{ session_id: string }>,
  minutes: PaidMinutes,
) {
  const paid = await minutes.find(id)
  if (paid !== undefined && paid.status !== 'active') return showPaid(paid)
  const session = await find(http, id)
  const known = paid ?? readTimes(id, session, clock.now())
  if (isRunning(session)) return { ...showPaid(known), connectUrl: session?.connectUrl }
  return showPaid(
    (await minutes.release(id, 'lost')) ?? { ...known, status: 'released', remainingMs: 0 },
  )
}

export async function releaseSessionAtVendor(
  { input: { session_id: id }, http, clock }: RunContext<{ session_id: string }>,
  minutes: PaidMinutes,
) {
  const paid = await minutes.find(id)
  if (paid !== undefined && paid.status !== 'active') return showPaid(paid)
  const session = await releaseAtVendor(http, id)
  const known = paid ?? readTimes(id, session, clock.now())
  return showPaid(
    (await minutes.release(id, 'closed')) ?? { ...known, status: 'released', remainingMs: 0 },
  )
}

/** Repeating it changes nothing. */
export async function releaseAtVendor(
  http: ProviderHttp,
  id: string,
): Promise<VendorSession | undefined> {
  const { status, body } = await http.send({
    method: 'POST',
    path: path`/v1/sessions/${id}`,
    body: { status: 'REQUEST_RELEASE' },
    accept: overStatuses,
  })
  return status < 300 ? read(body) : undefined
}

/** Undefined for a session that the vendor does not know any more. */
async function find(http: ProviderHttp, id: string): Promise<VendorSession | undefined> {
  const { status, body } = await http.send({
    method: 'GET',
    path: path`/v1/sessions/${id}`,
    accept: [404],
  })
  return status === 404 ? undefined : read(body)
}

/** Throws `upstream_error`. */
const read = (body: unknown): VendorSession => readAs(vendorSession, body)

/** Throws `upstream_error`. */
const readList = (body: unknown): VendorSession[] => readAs(z.array(vendorSession), body)

function readAs<Value>(schema: z.ZodType<Value>, body: unknown): Value {
  const { data, error } = schema.safeParse(body)
  if (data === undefined) throw fail('upstream_error', { cause: error })
  return data
}

const isRunning = (session: VendorSession | undefined) =>
  session?.status === 'RUNNING' || session?.status === 'PENDING'

/** For a session that the gateway has not counted: what the vendor says. */
function readTimes(id: string, session: VendorSession | undefined, now: number): PaidSession {
  if (session === undefined) throw fail('not_found')
  const [startedAt, expiresAt] = [Date.parse(session.startedAt), Date.parse(session.expiresAt)]
  return {
    id,
    status: 'active',
    expiresAt: session.expiresAt,
    paidMinutes: Math.round((expiresAt - startedAt) / minuteMs),
    remainingMs: Math.max(0, expiresAt - now),
  }
}
