// Verbs that price actions and run them.

import { setTimeout as delay } from 'node:timers/promises'
import type { Answer, Job, Progress, Quote, Routes } from '@tollway/client'
import { actionOperand, bodyOptions, readBody } from '../describe.ts'
import { saveFiles } from '../file-fields.ts'
import { untilInterrupted } from '../interruption.ts'
import { amount, centsOf } from '../meant/amounts.ts'
import { progressLine } from '../progress.ts'
import { listing, render } from '../render.ts'
import { defineVerb, type Option, type Surroundings } from '../verb.ts'

const ceiling = {
  about: 'Refuse a call that could cost more than this. Purchases need it.',
  value: 'CENTS',
} as const satisfies Option

const saving = {
  about: 'Save the files of the answer into this folder. Addresses elsewhere are not fetched.',
  value: 'FOLDER',
} as const satisfies Option

export const quote = defineVerb({
  name: 'quote',
  summary: 'Tell what a call would cost, and whether it would be allowed. Nothing runs.',
  operands: { action: actionOperand },
  options: { ...bodyOptions, 'max-cost': ceiling },
  takesFields: true,
  examples: ['quote tollway/onescrape --urls https://example.org'],
  async run({ operands, ...given }, surroundings) {
    const { connection, output, signal } = surroundings
    const body = await readBody(operands.action, given, surroundings)
    const maxCostCents = centsOf('max-cost', given.options['max-cost'])
    const quoted = await connection.tollway.quote(operands.action, body, {
      signal,
      ...(maxCostCents === undefined ? {} : { maxCostCents }),
    })
    output.print(quoted, showQuote)
  },
})

function showQuote({ price, allowed, refusal, max_cost_required, replays }: Quote): string {
  const most = price.kind === 'exact' ? 'It costs' : 'It costs at most'
  return [
    `${most} ${amount(price.cents, price.usd)}. The price is ${price.text}.`,
    ...(max_cost_required ? ['It needs a ceiling: --max-cost CENTS.'] : []),
    ...(allowed === true ? ['Your account can make this call.'] : []),
    ...(refusal === undefined ? [] : [`It would be refused: ${refusal.message}`]),
    ...(replays === undefined ? [] : [`It would return the answer of transaction ${replays}.`]),
  ].join('\n')
}

export const run = defineVerb({
  name: 'run',
  summary: 'Run an action. Jobs are waited for, and cancelled by Ctrl-C.',
  details:
    'The fields of the action are options: `--query text`, `--urls https://a.example https://b.example`, `--no-links`. `tollway show ACTION` lists them. The answer goes to standard output, and what it cost to standard error.',
  operands: { action: actionOperand },
  options: {
    ...bodyOptions,
    'max-cost': ceiling,
    'save-to': saving,
    'idempotency-key': {
      about: 'Your own name of this call. A call that is repeated with it is charged once.',
      value: 'TEXT',
    },
    'no-wait': { about: 'Print the id of a job instead of waiting for it.' },
  },
  takesFields: true,
  endsItself: true,
  examples: [
    'run tollway/onescrape --urls https://example.org --max-cost 5',
    'run ns_scholar/works --body @search.json --json',
    'run tollway/read-document --file file_id=report.pdf',
  ],
  async run({ operands, ...given }, surroundings) {
    const { connection, output, signal } = surroundings
    const { options } = given
    const body = await untilInterrupted(readBody(operands.action, given, surroundings), signal)
    const maxCostCents = centsOf('max-cost', options['max-cost'])
    const idempotencyKey = options['idempotency-key']
    const call = {
      signal,
      ...(maxCostCents === undefined ? {} : { maxCostCents }),
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    }
    if (options['no-wait']) {
      const { id } = await connection.tollway.start(operands.action, body, call)
      output.print({ job_id: id }, () => id)
      output.note(`\`tollway job ${id}\` waits for it.`)
      return
    }
    const started = await untilInterrupted(
      connection.tollway.start(operands.action, body, call),
      signal,
    )
    const answer = await started
      .result({ signal, onProgress: drawsOn(surroundings) })
      .catch(async (error: unknown) => {
        if (signal.aborted) await cancelSoon(started, surroundings)
        throw error
      })
    await untilInterrupted(printAnswer(answer, options['save-to'], surroundings), signal)
  },
})

/** How long Ctrl-C waits to learn whether the job ends too. */
const cancelMsMax = 1_000

const endings: Readonly<Record<string, (id: string) => string>> = {
  cancelled: () => 'The job is cancelled, and costs nothing.',
  stopping: (id) => `The job ends with what it has delivered: \`tollway job ${id}\` shows it.`,
  ended: (id) => `The job had ended before: \`tollway job ${id}\` shows its answer.`,
  job_begun: (id) => `The job cannot be stopped any more: \`tollway job ${id}\` waits for it.`,
}

/** Only this command knows the job, so who leaves it wants it ended. */
async function cancelSoon(
  { id, cancel }: Pick<Job<unknown>, 'id' | 'cancel'>,
  { output }: Pick<Surroundings, 'output'>,
): Promise<void> {
  const time = new AbortController()
  const silence = delay(cancelMsMax, 'silence', { signal: time.signal })
  const asked = cancel().catch(({ code }: { code?: string }) => code ?? 'failed')
  const ending = await Promise.race([asked, silence])
  time.abort()
  silence.catch(() => undefined)
  const words = endings[ending]
  output.note(
    words?.(id) ??
      `The gateway does not say whether the job ends, and it may cost. \`tollway job ${id} --cancel\` ends it.`,
  )
}

export const jobs = defineVerb({
  name: 'jobs',
  summary: 'List your jobs: those that run first, then those that have ended.',
  options: {
    state: {
      about: 'Jobs in this state.',
      value: 'STATE',
      choices: ['running', 'succeeded', 'failed'],
    },
  },
  examples: ['jobs --state running'],
  async run({ options: { state } }, { connection, output }) {
    const rows: JobRow[] = []
    const query = { limit: jobsMax, ...(state === undefined ? {} : { state }) }
    for await (const row of connection.tollway.list('GET /api/v1/jobs', { query })) {
      rows.push(row)
      if (rows.length === jobsMax) break
    }
    output.print({ jobs: rows }, () =>
      listing(jobHead, rows.map(showJob), 'There are no such jobs.'),
    )
  },
})

type JobRow = Routes['GET /api/v1/jobs']['answer']['jobs'][number]

const jobsMax = 100

const jobHead = ['ID', 'STATE', 'CHARGED', 'ACTION', 'STARTED']

const showJob = ({
  job_id,
  state,
  progress,
  charged_usd,
  action,
  created_at,
}: JobRow): string[] => [
  job_id,
  progress === null ? state : `${state} ${progress.percent}%`,
  `$${charged_usd}`,
  action,
  created_at,
]

export const job = defineVerb({
  name: 'job',
  summary: 'Wait for a job, or cancel it. Reads back the answer of any call by its id.',
  operands: {
    id: { about: 'The id of the job, or of the transaction.', idOf: 'a job', listedBy: 'jobs' },
  },
  options: {
    'save-to': saving,
    cancel: { about: 'Ask the job to end. It keeps and charges what it has delivered.' },
  },
  examples: ['job 0198e6a4-7d1c-7cc3-9f0e-1c0b3f1f2a11'],
  async run({ operands, options }, surroundings) {
    const { connection, output, signal } = surroundings
    const waited = connection.tollway.job(operands.id)
    if (options.cancel) {
      const status = await waited.cancel()
      output.print({ job_id: operands.id, status }, () => status)
      return
    }
    const answer = await waited.result({ signal, onProgress: drawsOn(surroundings) })
    await printAnswer(answer, options['save-to'], surroundings)
  },
})

const drawsOn =
  ({ output }: Surroundings) =>
  (progress: Progress) =>
    output.redraw(progressLine(progress))

async function printAnswer(
  answer: Answer<unknown>,
  folder: string | undefined,
  { connection, output }: Surroundings,
): Promise<void> {
  output.redraw('')
  const files = folder === undefined ? undefined : await saveFiles(answer.data, folder, connection)
  const { data, chargedCents, chargedUsd, transactionId, balanceRemainingCents, replayed } = answer
  const envelope = {
    ok: true,
    data,
    charged_cents: chargedCents,
    charged_usd: chargedUsd,
    ...(balanceRemainingCents === undefined
      ? {}
      : { balance_remaining_cents: balanceRemainingCents }),
    ...(transactionId === undefined ? {} : { transaction_id: transactionId }),
    ...(replayed ? { replayed } : {}),
    ...(files && { saved: files.saved, not_saved: files.unsaved }),
  }
  output.print(envelope, () => render(data))
  if (output.json) return
  for (const file of files?.saved ?? []) output.note(`Saved ${file}`)
  for (const sentence of files?.unsaved ?? []) output.note(sentence)
  output.note(
    [
      replayed
        ? 'The stored answer of an earlier call'
        : `Charged ${amount(chargedCents, chargedUsd)}`,
      ...(balanceRemainingCents === undefined ? [] : [`${balanceRemainingCents}¢ left`]),
      ...(transactionId === undefined ? [] : [`transaction ${transactionId}`]),
    ].join(', '),
  )
}
