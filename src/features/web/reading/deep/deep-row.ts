// One page of a deep job: its turn on its host, its share of the budget, and its climb.

import type { JobContext } from '#core/action.ts'
import { CallError } from '#core/errors.ts'
import { EgressRefusal } from '#platform/egress/guard.ts'
import { toReadOptions } from '../actions/options.ts'
import { toRow, unstartedRow } from '../actions/rows.ts'
import { toVisit } from '../actions/visit-options.ts'
import type { Budget } from './budget.ts'
import { type PricedRow, pricedRowSchema } from './charges.ts'
import type { DeepInput, DeepParts } from './onescrape-deep.ts'

/** For one page, from the start of its turn. */
export const rowTimeoutMsMax = 90_000

export const rowName = (url: string) => `row ${url}`

export function savedRow(
  { checkpoints }: JobContext<DeepInput>,
  url: string,
): PricedRow | undefined {
  return pricedRowSchema.safeParse(checkpoints.get(rowName(url))).data
}

/** What the pages of a job share. */
export interface DeepReading {
  readonly budget: Budget
  readonly deadline: AbortSignal
  /** Aborted: no page is begun any more. */
  readonly stopped: AbortSignal
}

export async function readDeepRow(
  url: string,
  { input, signal: jobSignal, caller, call, available, record }: JobContext<DeepInput>,
  { ladder, politeness, robots }: DeepParts,
  { budget, deadline, stopped }: DeepReading,
): Promise<PricedRow> {
  const { format } = input
  if (stopped.aborted) return unreadRow(url, format, 'cancelled')
  // Reading a site is crawling, which robots.txt governs. A page that the caller names is read as a person reads it.
  const rules = input.site && (await robots.rulesFor(url, jobSignal))
  if (rules?.allows(url) === false) return unreadRow(url, format, 'robots')
  const admitRedirect = async (target: string) => {
    if (!(await robots.rulesFor(target, deadline)).allows(target))
      throw new EgressRefusal('robots', `${url} leads to a page that robots.txt closes.`)
  }
  const climb = async (): Promise<PricedRow> => {
    const pageBudget = await budget.begin()
    if (pageBudget === undefined) return { row: unstartedRow(url, format), price: null }
    if (stopped.aborted) {
      pageBudget.close()
      return unreadRow(url, format, 'cancelled')
    }
    // The page's time starts with its turn.
    const signal = AbortSignal.any([
      deadline,
      AbortSignal.timeout(input.timeout_ms ?? rowTimeoutMsMax),
    ])
    const request = {
      ...toReadOptions(input),
      visit: toVisit(input),
      maxAgeSeconds: input.max_age,
      signal,
      caller,
      call,
      available,
      budget: pageBudget,
      record,
      admitRedirect: rules && admitRedirect,
    }
    try {
      const found = await ladder.climb(url, request)
      const row = toRow(found, input)
      const lacked = found.hops.some(({ skipped }) => skipped === 'budget')
      const isOverBudget = found.page === null && pageBudget.isShort && lacked
      const unpaid = {
        error: 'over budget',
        message: 'The budget ran out before the page was read.',
      }
      return { row: isOverBudget ? { ...row, ...unpaid } : row, price: found.price }
    } finally {
      pageBudget.close()
    }
  }
  try {
    const { host } = new URL(url)
    // A page that waits for its turn has not begun.
    const signal = AbortSignal.any([deadline, stopped])
    const turn = { host, party: budget, delayMs: rules?.crawlDelayMs, signal }
    const row = await politeness.run(turn, climb)
    jobSignal.throwIfAborted()
    return row
  } catch (thrown) {
    jobSignal.throwIfAborted()
    if (stopped.aborted && thrown === stopped.reason) return unreadRow(url, format, 'cancelled')
    // A page that is a document, or too slow, does not fail the others.
    const isDocument = thrown instanceof CallError && thrown.code === 'onescrape_document'
    return unreadRow(url, format, isDocument ? 'document' : 'timeout')
  }
}

const messages = {
  robots: 'The robots.txt of the site closes this page.',
  document: 'This is a document, not a web page.',
  timeout: 'The page could not be read in time.',
  cancelled: 'The page had not begun when the key of the job ended or its account was frozen.',
} as const

function unreadRow(
  url: string,
  format: DeepInput['format'],
  error: keyof typeof messages,
): PricedRow {
  const hop = {
    provider: 'ladder',
    action: 'climb',
    ok: false,
    charged_cents: 0,
    latency_ms: 0,
    skipped: error === 'timeout' ? 'deadline' : error,
  }
  const row = { ...unstartedRow(url, format), hops: [hop], error, message: messages[error] }
  return { row, price: null }
}
