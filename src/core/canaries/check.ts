// One check of a provider: its cheapest harmless call, compared with what is expected. The command, the console and the
// schedule all make it here. Nothing is held or charged for it, and it has no caller.
import { toCallError } from '../errors.ts'
import { membersOf } from '../input/members.ts'
import { readLeniently } from '../replies/lenient.ts'
import { type AskedExchange, type Asking, askDirectly } from './ask-directly.ts'
import { compareForms, type DriftLine, priceHeadersOf, type ReplyForm } from './drift.ts'
import {
  attachedInFixtures,
  cutText,
  fitExchanges,
  type KeptExchange,
  readBody,
  recordExchange,
} from './kept-exchange.ts'
import { createMask, mapTexts, textsIn } from './mask.ts'
import type { Probe } from './probe.ts'
import { shapeOf } from './shape.ts'

/** `unclear`: the vendor did not say, because it was busy or the check was stopped. */
export const checkStates = ['well', 'drifted', 'failed', 'unclear'] as const
export type CheckState = (typeof checkStates)[number]

export interface CheckResult {
  readonly state: CheckState
  /** A sentence or two. */
  readonly says: string
  readonly fix: string | null
  readonly drift: readonly DriftLine[]
  /** Of the reply. Null where there was none to compare. */
  readonly form: ReplyForm | null
  /** Without secrets and without the data of people. */
  readonly exchanges: readonly KeptExchange[]
  /** What the vendor took for it. Null: it does not say. */
  readonly costUsd: number | null
  readonly tookMs: number
}

interface Checking extends Pick<Asking, 'providers' | 'open' | 'clock' | 'signal'> {
  readonly expected: ReplyForm | undefined
  /** Those of the operator. */
  readonly secrets: readonly string[]
}

const timeoutMs = 120_000
const listedMax = 8
const driftMax = 200

type Finding = Pick<CheckResult, 'state' | 'says' | 'fix' | 'drift'>

export async function checkProvider(
  { id, action, provider }: Probe,
  { expected, secrets, signal, ...asking }: Checking,
): Promise<CheckResult> {
  const exchanges: AskedExchange[] = []
  const startedAt = asking.clock.now()
  const late = AbortSignal.timeout(timeoutMs)
  const { input } = action.example
  const end = (finding: Finding, rest: Partial<CheckResult> = {}): CheckResult => ({
    ...(mapAll(
      { ...finding, drift: finding.drift.slice(0, driftMax) },
      redactorOf(exchanges),
    ) as Finding),
    form: null,
    exchanges: redact(exchanges, {
      secrets,
      keep: [input, attachedInFixtures(provider, { method: 'POST', path: '/' })].flatMap(textsIn),
    }),
    costUsd: null,
    tookMs: Math.round(asking.clock.now() - startedAt),
    ...rest,
  })
  try {
    const answer = await askDirectly(id, input, {
      ...asking,
      signal: AbortSignal.any([signal, late]),
      exchanges,
    })
    const form = formOf(exchanges)
    const read = readLeniently(action.output, answer)
    if ('error' in read) return end(misfit(read.error, expected, form), { form })
    const told = action.costUsd?.(read.data, action.input.parse(input))
    const costUsd = told ?? action.declaredCostUsd ?? null
    const misfits = read.misfits.map(misfitLine)
    return end(describe([...misfits, ...compare(expected, form)], expected, provider.docs), {
      form,
      costUsd,
    })
  } catch (thrown) {
    if (signal.aborted) return end(stopped)
    if (late.aborted)
      return end(failed(`It did not answer in ${timeoutMs / 1_000} s.`, docsOf(provider)))
    return end(describeFailure(thrown, { exchanges, expected, probe: { action, provider } }))
  }
}

function formOf(exchanges: readonly AskedExchange[]): ReplyForm {
  const redact = redactorOf(exchanges)
  const headers = priceHeadersOf(exchanges.map(({ reply }) => reply))
  return {
    shape: shapeOf(
      exchanges.map(({ reply }) => readBody(reply)),
      redact,
    ),
    headers: mapAll(headers, redact) as ReplyForm['headers'],
  }
}

/** Of all providers that were asked. */
function redactorOf(exchanges: readonly AskedExchange[]): (text: string) => string {
  const each = [...new Map(exchanges.map(({ provider, redact }) => [provider.id, redact])).values()]
  return (text) => each.reduce((left, redact) => redact(left), text)
}

const compare = (expected: ReplyForm | undefined, form: ReplyForm): DriftLine[] =>
  expected === undefined ? [] : compareForms(expected, form)

const stopped: Finding = {
  state: 'unclear',
  says: 'The check was stopped before there was an answer.',
  fix: 'Check it again.',
  drift: [],
}

const failed = (says: string, fix: string, drift: readonly DriftLine[] = []): Finding => ({
  state: 'failed',
  says,
  fix,
  drift,
})

const docsOf = ({ docs }: Probe['provider']) =>
  `Compare it with the provider’s documentation${docs === undefined ? '.' : `: ${docs}`}`

const misfitLine = (text: string): DriftLine => {
  const [where = '', ...rest] = text.split(': ')
  return { kind: 'schema', where, before: null, now: rest.join(': ') }
}

function misfit(error: unknown, expected: ReplyForm | undefined, form: ReplyForm): Finding {
  const { issues = [] } = error as {
    issues?: readonly { readonly path: readonly PropertyKey[]; readonly message: string }[]
  }
  const lines = issues.map(({ path, message }) => misfitLine(`${path.join('.')}: ${message}`))
  return failed(
    'Its reply does not fit the schema of the action.',
    'Calls of this action fail, free of charge, until the gateway is changed. Send the fixture of this check upstream.',
    [...lines, ...compare(expected, form)],
  )
}

function describe(
  drift: readonly DriftLine[],
  expected: ReplyForm | undefined,
  docs: string | undefined,
): Finding {
  if (drift.length === 0 && expected === undefined)
    return {
      state: 'well',
      says: 'It answered, and the reply fits the schema of the action. There is no earlier reply to compare it with.',
      fix: null,
      drift,
    }
  if (drift.length === 0)
    return { state: 'well', says: 'It answered in the expected form.', fix: null, drift }
  const names = (kind: DriftLine['kind']) =>
    drift.filter((line) => line.kind === kind).map(({ where }) => where)
  const changed = drift
    .filter(({ kind }) => kind === 'changed')
    .map(({ where, before, now }) => `${where} (${before}, now ${now})`)
  const told = [
    sentence('It lacks', names('missing')),
    sentence('It changed', changed),
    sentence('It has new fields:', names('new')),
    sentence('Headers that say what a call costs are other ones:', names('header')),
    sentence(
      'These fields do not fit the schema of the action, and are left out:',
      names('schema'),
    ),
  ]
  return {
    state: 'drifted',
    says: told.filter((each) => each !== '').join(' '),
    fix: `Compare the reply with the provider’s documentation${docs === undefined ? '' : ` (${docs})`}, and accept it if it is right.`,
    drift,
  }
}

const sentence = (start: string, names: readonly string[]) =>
  names.length === 0
    ? ''
    : `${start} ${[...names.slice(0, listedMax), ...(names.length > listedMax ? ['and more'] : [])].join(', ')}.`

function describeFailure(
  thrown: unknown,
  {
    exchanges,
    expected,
    probe: { action, provider },
  }: {
    readonly exchanges: readonly AskedExchange[]
    readonly expected: ReplyForm | undefined
    readonly probe: Pick<Probe, 'action' | 'provider'>
  },
): Finding {
  const { code, message, data } = toCallError(thrown)
  const { reason, provider_message: words } = membersOf(data)
  if (code === 'not_found' && action.owned !== undefined)
    return {
      state: 'well',
      says: 'It accepts this gateway, and has nothing on the example.',
      fix: null,
      drift: [],
    }
  if (code === 'rate_limited' || code === 'upstream_busy')
    return { state: 'unclear', says: message, fix: 'Check it again later.', drift: [] }
  const last = exchanges.at(-1)?.reply
  const answered = last === undefined ? 'no answer' : String(last.status)
  const error: DriftLine = {
    kind: 'error',
    where: 'error',
    before: expected === undefined ? null : 'none',
    now: [answered, code, words].filter((each) => typeof each === 'string').join(' '),
  }
  if (code === 'not_found')
    return {
      state: 'drifted',
      says: 'It answers that the example is not there. The thing, or the address, may be gone.',
      fix: docsOf(provider),
      drift: [error],
    }
  const wasAsked = exchanges.at(-1)
  if (reason === 'provider_auth' && wasAsked !== undefined && !hasKey(wasAsked))
    return failed(
      'It asks for a key, and this gateway sent none.',
      'Sell it again with the place of the key, such as `"credential": {"kind": "bearer"}`, and with `"key"`.',
      [error],
    )
  if (reason === 'provider_auth')
    return failed('It refuses the key of this gateway.', 'Replace the key.', [error])
  if (reason === 'provider_unfunded')
    return failed('The account at the provider is empty.', 'Top it up.', [error])
  const isAnswer = last !== undefined && last.status < 300
  const drift = isAnswer ? compare(expected, formOf(exchanges)) : []
  return failed(`${code}: ${message}`, docsOf(provider), [error, ...drift])
}

const hasKey = ({ provider, request }: AskedExchange) =>
  provider.upstream?.credential !== undefined && request.anonymous !== true

function redact(
  exchanges: readonly AskedExchange[],
  options: Parameters<typeof createMask>[0],
): KeptExchange[] {
  const mask = createMask(options)
  return fitExchanges(exchanges.map(recordExchange)).map((kept, place) =>
    cutText(mapAll(mask.apply(kept), exchanges[place]?.redact ?? String) as KeptExchange),
  )
}

/** Changes each text and name. PostgreSQL stores neither a zero nor half a character. */
function mapAll(value: unknown, change: (text: string) => string): unknown {
  const clean = (text: string) => change(text).toWellFormed().replaceAll('\0', '')
  return mapTexts(value, clean, clean)
}
