// Payment channels on their way: opened, topped up and closed on their chain. Any gateway can continue what another
// began: each transaction is stored before it is sent, and sending it twice moves money once. Only the chain says what
// has become of it.
import type { Clock, Log } from '#core/ports.ts'
import { runEvery } from '#platform/recurring.ts'
import type { ChannelMessage, ChannelRail, Funding } from '../rails/channel-rail.ts'
import { PaymentRefusal, type Rail, type RailId } from '../rails/rail.ts'
import type { ChannelRecords, PaymentChannel } from './channel-records.ts'

export interface Channels
  extends Pick<ChannelRecords, 'find' | 'findOf' | 'list' | 'accept' | 'claim'> {
  /** A channel of this rail without a call for this time is closed. Undefined: the rail is unknown. */
  idleMsMax(rail: RailId): number | undefined

  /**
   * Opens a channel by the payer's transaction, or goes on with that. Resolves to its state when it is known or the
   * wait is over. Throws a PaymentRefusal when the chain would not carry it out.
   */
  open(
    message: ChannelMessage,
    funding: Funding,
    owner: { readonly rail: RailId; readonly accountId: string },
    waitMs: number,
  ): Promise<PaymentChannel['state']>
  /** Adds to a deposit, once for each transaction. `pending`: the wait is over, and the chain may still have it. */
  topUp(
    message: ChannelMessage,
    funding: Funding,
    waitMs: number,
  ): Promise<'added' | 'pending' | 'failed'>
  /** Takes no more calls, and closes it once those under way have ended. */
  close(channelId: string, waitMs: number): Promise<PaymentChannel | undefined>
  /** Continues all channels that are due. Resolves to their number. */
  work(): Promise<number>
  stop(): Promise<void>
}

const workIntervalMs = 1_000
const channelsPerRound = 50
/** A payer who takes a deposit back must wait for 15 minutes. The close must be sent before. */
const openCheckIntervalMs = 60_000
const pollIntervalsMs = [50, 100, 200, 400, 1_000] as const

interface Dependencies {
  readonly records: ChannelRecords
  readonly rails: ReadonlyMap<RailId, Pick<Rail, 'channels'>>
  readonly clock: Clock
  readonly log: Log
}

export function createChannels(dependencies: Dependencies): Channels {
  const { records, rails, clock, log } = dependencies
  const stopping = new AbortController()

  /** Asks again and again until it holds, or the wait is over. */
  async function wait<Found>(
    waitMs: number,
    ask: () => Promise<Found>,
    isDone: (found: Found) => boolean,
  ): Promise<Found> {
    const until = clock.now() + waitMs
    for (let attempt = 0; ; attempt += 1) {
      const found = await ask()
      if (isDone(found) || clock.now() >= until || stopping.signal.aborted) return found
      const delayMs = pollIntervalsMs[Math.min(attempt, pollIntervalsMs.length - 1)] ?? 0
      await clock.sleep(delayMs, stopping.signal).catch(() => {})
    }
  }

  /** One step nearer to its end. */
  async function advance(channel: PaymentChannel): Promise<void> {
    const rail = rails.get(channel.rail)?.channels
    if (rail === undefined) return
    if (channel.state === 'opening') await continueOpening(records, rail, channel)
    if (channel.state === 'open') await watchOpen(records, rail, channel)
    if (channel.state === 'closing') await continueClosing(records, rail, channel)
  }

  /** What the chain does not say yet is asked again later. */
  async function advanceNow(id: string): Promise<PaymentChannel | undefined> {
    try {
      const channel = await records.find(id)
      if (channel !== undefined) await advance(channel)
    } catch (err) {
      log.warn({ err, channelId: id }, 'A payment channel could not be continued now.')
      await records.delayed(id, err instanceof Error ? err.message : String(err)).catch(() => {})
    }
    return await records.find(id)
  }

  async function work(): Promise<number> {
    const due = await records.take({ limit: channelsPerRound, openEveryMs: openCheckIntervalMs })
    await Promise.all(
      due.map(async ({ id, rail, state, closes, idleMs, heldMicros }) => {
        const idleMsMax = rails.get(rail)?.channels?.idleMsMax ?? Number.POSITIVE_INFINITY
        if (state === 'open' && !closes && heldMicros === 0 && idleMs >= idleMsMax)
          await records.closes(id)
        await advanceNow(id)
      }),
    )
    return due.length
  }

  const recurring = runEvery(workIntervalMs, work, (err) =>
    log.warn({ err }, 'Could not work on payment channels; the next round will.'),
  )

  return {
    find: records.find,
    findOf: records.findOf,
    list: records.list,
    idleMsMax: (rail) => rails.get(rail)?.channels?.idleMsMax,
    accept: records.accept,
    claim: records.claim,
    async open(message, funding, { rail: id, accountId }, waitMs) {
      const { channelId } = message
      const rail = rails.get(id)?.channels
      if (rail === undefined) throw new PaymentRefusal('This gateway offers no sessions.')
      if ((await records.find(channelId)) === undefined) {
        await rail.simulate(funding)
        await records.opening(message, funding, { rail: id, accountId })
      }
      const opened = await wait(
        waitMs,
        () => advanceNow(channelId),
        (channel) => channel?.state !== 'opening',
      )
      return opened?.state ?? 'failed'
    },
    topUp: createTopUp({ records, rails }, wait, advanceNow),
    async close(channelId, waitMs) {
      await records.closes(channelId)
      return await wait(
        waitMs,
        () => advanceNow(channelId),
        (channel) => channel?.state === 'closed' || channel?.state === 'failed',
      )
    },
    work,
    async stop() {
      stopping.abort()
      await recurring.close()
    },
  }
}

type Wait = <Found>(
  waitMs: number,
  ask: () => Promise<Found>,
  isDone: (found: Found) => boolean,
) => Promise<Found>

function createTopUp(
  { records, rails }: Pick<Dependencies, 'records' | 'rails'>,
  wait: Wait,
  advance: (id: string) => Promise<PaymentChannel | undefined>,
): Channels['topUp'] {
  return async ({ channelId }, funding, waitMs) => {
    const channel = await records.find(channelId)
    const rail = channel && rails.get(channel.rail)?.channels
    if (channel?.state !== 'open' || rail === undefined) return 'failed'
    const earlier = await rail.outcomeOf(funding.hash)
    if (earlier === undefined) {
      await rail.simulate(funding)
      await rail.send(funding.raw)
    }
    // The chain knows the sum of all deposits, so nothing is added twice, and nothing is lost with this gateway.
    const sumMicros = channel.depositMicros + (earlier === undefined ? funding.micros : 0)
    return await wait(
      waitMs,
      async () => {
        const found = await advance(channelId)
        const outcome = await rail.outcomeOf(funding.hash).catch(() => undefined)
        if (outcome?.succeeded === false) return 'failed'
        const isBooked = (found?.depositMicros ?? 0) >= sumMicros
        return outcome !== undefined && isBooked ? 'added' : 'pending'
      },
      (state) => state !== 'pending',
    )
  }
}

async function continueOpening(
  records: ChannelRecords,
  rail: ChannelRail,
  { id, raw, hash, validUntil }: PaymentChannel,
): Promise<void> {
  const outcome = await rail.outcomeOf(hash ?? '')
  if (outcome?.succeeded === false) return await records.failed(id, 'The chain reverted it.')
  if (outcome !== undefined) {
    const { deposit } = await rail.stateOf(id)
    return deposit === 0
      ? await records.failed(id, 'The chain has no such channel.')
      : await records.funded(id, deposit)
  }
  if (!(await rail.isPast(validUntil?.getTime() ?? 0))) return await rail.send(raw ?? '')
  // It may have been mined between the two questions.
  if ((await rail.outcomeOf(hash ?? '')) === undefined)
    await records.failed(id, 'The transaction has expired.')
}

async function watchOpen(
  records: ChannelRecords,
  rail: ChannelRail,
  channel: PaymentChannel,
): Promise<void> {
  const { id, closes } = channel
  const { deposit, closeRequested } = await rail.stateOf(id)
  if (deposit === 0) {
    await records.closes(id)
    return await bookClose(records, rail, id)
  }
  if (deposit > channel.depositMicros) await records.funded(id, deposit)
  if (closeRequested && !closes) await records.closes(id)
  const fresh = await records.find(id)
  if (fresh?.state !== 'open' || !fresh.closes || fresh.heldMicros > 0) return
  await sendClose(records, rail, fresh)
}

async function continueClosing(
  records: ChannelRecords,
  rail: ChannelRail,
  channel: PaymentChannel,
): Promise<void> {
  const { id, raw, hash, validUntil } = channel
  const { deposit } = await rail.stateOf(id)
  if (deposit === 0) return await bookClose(records, rail, id)
  const outcome = await rail.outcomeOf(hash ?? '')
  const isOver = outcome !== undefined || (await rail.isPast(validUntil?.getTime() ?? 0))
  // A channel can be closed once, so another close cannot take anything twice.
  if (isOver) await sendClose(records, rail, channel)
  else await rail.send(raw ?? '')
}

/** A close is stored before it is sent. */
async function sendClose(
  records: ChannelRecords,
  rail: ChannelRail,
  channel: PaymentChannel,
): Promise<void> {
  const { descriptor, acceptedMicros, spentMicros, signature } = channel
  const close = await rail.signClose({
    descriptor,
    acceptedMicros,
    capturedMicros: spentMicros,
    signature: signature ?? undefined,
  })
  if (await records.closing(channel, close)) await rail.send(close.raw)
}

/** The chain has the channel no more. */
async function bookClose(records: ChannelRecords, rail: ChannelRail, id: string): Promise<void> {
  const found = await rail.findClose(id)
  // The node that answers may not have the block yet that another one has.
  if (found === undefined) return
  await records.closed(id, found)
}
