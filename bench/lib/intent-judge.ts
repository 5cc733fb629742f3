// Judges what consult answers to an intent: the first call, every value that the calls must carry, and the budget.

/** `kind:value`, perhaps with `key=` before it: a part of the name of the field that must carry it. */
type Label = string
/** A label, several of which one is enough, or a list that must be whole. */
export type Demand = Label | readonly Demand[] | { readonly l: readonly Label[] }

export interface LabelledIntent {
  readonly q: string
  /** The actions of which one must be the first call. */
  readonly ok?: readonly string[]
  /** Groups of actions: one of each group must be called. */
  readonly all?: readonly (readonly string[])[]
  readonly must?: readonly Demand[]
  /** Modes with `/` between them. Absent: call. */
  readonly mode?: string
  readonly budget?: number
}

export interface LabelledTask {
  readonly q: string
  readonly steps: readonly (readonly string[])[]
  readonly refs: readonly (readonly [from: number, to: number])[]
  readonly must: readonly Demand[]
  /** One call that does all of it: its action, and a pattern of its parameters. */
  readonly one?: readonly [action: string, pattern: string]
  /** The steps may come in any order. */
  readonly any?: number
}

export interface AdvisedCall {
  readonly id: string
  readonly action: string
  readonly params: Readonly<Record<string, unknown>>
}

export interface Advice {
  readonly mode: string
  readonly calls: readonly AdvisedCall[]
  readonly maxCents: number
  readonly assumptions: readonly string[]
}

/** A value of the calls with the names of the fields that lead to it. */
interface CarriedValue {
  readonly path: string
  readonly value: unknown
}

export interface IntentVerdict {
  readonly isActionRight: boolean
  readonly missing: readonly Demand[]
  readonly lists: { readonly whole: number; readonly all: number }
  readonly isWithinBudget: boolean
}

export function judgeIntent(asked: LabelledIntent, advice: Advice, today: Date): IntentVerdict {
  const modes = (asked.mode ?? 'call').split('/')
  const [first] = advice.calls
  const called = new Set(advice.calls.map(({ action }) => action))
  const isActionRight =
    modes.includes(advice.mode) &&
    (first === undefined || asked.ok === undefined || asked.ok.includes(first.action)) &&
    (first === undefined || (asked.all ?? []).every((group) => group.some((id) => called.has(id))))
  const demands = first === undefined && modes.some((mode) => mode !== 'call') ? [] : asked.must
  const judge = createLabelJudge(advice.calls, today)
  const lists = (asked.must ?? []).filter((demand) => typeof demand === 'object' && 'l' in demand)
  return {
    isActionRight,
    missing: (demands ?? []).filter((demand) => !judge(demand)),
    lists: { whole: lists.filter(judge).length, all: lists.length },
    isWithinBudget: asked.budget === undefined || advice.maxCents <= asked.budget,
  }
}

export interface TaskVerdict {
  readonly isComplete: boolean
  readonly missing: readonly Demand[]
}

export function judgeTask(task: LabelledTask, { calls }: Advice, today: Date): TaskVerdict {
  const judge = createLabelJudge(calls, today)
  const missing = task.must.filter((demand) => !judge(demand))
  const [first] = calls
  if (task.one && first?.action === task.one[0])
    if (new RegExp(task.one[1]).test(JSON.stringify(first.params)))
      return { isComplete: true, missing }
  const places: number[] = []
  for (const ids of task.steps) {
    const from = task.any === undefined ? (places.at(-1) ?? -1) + 1 : 0
    const place = calls.findIndex(({ action }, at) => at >= from && ids.includes(action))
    if (place === -1) return { isComplete: false, missing }
    places.push(place)
  }
  const isComplete = task.refs.every(([from, to]) => {
    const source = calls[places[from] ?? -1]
    const target = calls[places[to] ?? -1]
    return reaches(calls, source, target)
  })
  return { isComplete, missing }
}

/** Whether a value of one call goes into another, perhaps through calls between them. */
function reaches(
  calls: readonly AdvisedCall[],
  source: AdvisedCall | undefined,
  target: AdvisedCall | undefined,
): boolean {
  if (source === undefined || target === undefined) return false
  const text = JSON.stringify(target.params)
  if (text.includes(`"$step":"${source.id}"`)) return true
  return calls.some(
    (between) =>
      between !== target &&
      between !== source &&
      text.includes(`"$step":"${between.id}"`) &&
      reaches(calls, source, between),
  )
}

function createLabelJudge(calls: readonly AdvisedCall[], today: Date) {
  const carried = calls.flatMap(({ params }) => listValues('', params))
  const texts = calls.map(({ params }) => JSON.stringify(params))
  const judge = (demand: Demand): boolean => {
    if (typeof demand === 'string') return judgeLabel(demand)
    if ('l' in demand) return demand.l.every((label) => judgeLabel(label))
    return demand.some((one) => judge(one))
  }
  const judgeLabel = (label: string): boolean => {
    const [, key, kind = '', value = ''] = /^(?:(\w+)=)?(\w):([\s\S]*)$/.exec(label) ?? []
    const within = carried.filter(
      ({ path }) => key === undefined || path.toLowerCase().includes(key.toLowerCase()),
    )
    if (kind === 'x' && key === undefined) return texts.some((text) => matches(value, text))
    return within.some((one) => carries(kind, value, one, today))
  }
  return judge
}

function listValues(path: string, value: unknown): readonly CarriedValue[] {
  if (typeof value !== 'object' || value === null) return [{ path, value }]
  return Object.entries(value).flatMap(([name, each]) => listValues(`${path}/${name}`, each))
}

function matches(pattern: string, text: string): boolean {
  const isLoose = pattern.startsWith('(?i)')
  return new RegExp(isLoose ? pattern.slice('(?i)'.length) : pattern, isLoose ? 'iu' : 'u').test(
    text,
  )
}

const otherWordsMax = 3

function carries(
  kind: string,
  wanted: string,
  { path, value }: CarriedValue,
  today: Date,
): boolean {
  const text = String(value)
  const lower = text.toLowerCase()
  const words = wordsOf(wanted)
  switch (kind) {
    case 'n':
      return Number(wanted) === Number(text.replace(/s$/, '')) && text.trim() !== ''
    case 'b':
      return text === wanted
    case 'd':
      return digitsOf(text).startsWith(digitsOf(wanted)) || isYear(wanted, text)
    case 'r':
      return isRecent(Number(wanted), path, lower, today)
    case 'c':
      return countryForms(wanted).some(
        (form) =>
          lower.split(/[,;]\s*/).includes(form.toLowerCase()) ||
          (form.length > 3 && holdsPhrase(lower, form)),
      )
    case 'u':
    case 'h':
      return lower.includes(wanted.toLowerCase())
    case 's':
      return lower.split(/,\s*/).includes(wanted.toLowerCase()) || holdsPhrase(lower, wanted)
    case 'w': {
      const said = wordsOf(text)
      return (
        words.every((word) => said.includes(word)) && said.length <= words.length + otherWordsMax
      )
    }
    case 'x':
      return matches(wanted, text)
    default:
      throw new Error(`There is no label of kind ${kind}.`)
  }
}

const digitsOf = (text: string) => text.replaceAll(/\D/g, '')
const isYear = (wanted: string, text: string) =>
  wanted.endsWith('-01-01') && text === wanted.slice(0, 4)
const wordsOf = (text: string): readonly string[] =>
  text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []

const holdsPhrase = (text: string, phrase: string) =>
  phrase.length > 3 && ` ${wordsOf(text).join(' ')} `.includes(` ${wordsOf(phrase).join(' ')} `)

const dayMs = 86_400_000
/** How fields say that something is of the last days. */
const recencies: Readonly<Record<number, readonly string[]>> = {
  1: ['day', 'pd', 'qdr:d', 'today', 'yesterday', '1d', '24h', 'last_1d'],
  7: ['week', 'pw', 'qdr:w', 'last_7d', '1w', '7d', 'last_week', 'this_week', 'now 7-d'],
  14: ['last_14d', '2w', '14d'],
  30: ['month', 'pm', 'qdr:m', 'last_30d', '1m', '30d', 'last_month', 'this_month', 'today 1-m'],
  60: ['last_60d', '2m', '60d'],
  90: ['last_90d', '3m', '90d', 'last_quarter', 'today 3-m'],
  180: ['last_6m', '6m', '180d'],
  365: ['year', 'py', 'qdr:y', 'last_1y', '12m', '365d', 'today 12-m'],
}
const recencyTolerance = 0.1

function isRecent(days: number, path: string, text: string, today: Date): boolean {
  const isNear = (found: number) => Math.abs(found - days) <= Math.max(1, days * recencyTolerance)
  for (const [size, said] of Object.entries(recencies))
    if (isNear(Number(size)) && said.includes(text)) return true
  const inDays = /^(\d+)d(?:ays)?$/.exec(text)?.[1]
  if (inDays !== undefined) return isNear(Number(inDays))
  if (/days/i.test(path) && /^\d+$/.test(text)) return isNear(Number(text))
  const [from] = /\d{4}-?\d{2}-?\d{2}/.exec(text) ?? []
  if (from === undefined) return false
  const digits = digitsOf(from)
  const at = Date.UTC(
    Number(digits.slice(0, 4)),
    Number(digits.slice(4, 6)) - 1,
    Number(digits.slice(6, 8)),
  )
  return isNear((today.getTime() - at) / dayMs)
}

const threeLetters: Readonly<Record<string, string>> = {
  AT: 'AUT', BR: 'BRA', CA: 'CAN', CH: 'CHE', DE: 'DEU', DK: 'DNK', ES: 'ESP', FR: 'FRA',
  GB: 'GBR', IE: 'IRL', IN: 'IND', IT: 'ITA', JP: 'JPN', MX: 'MEX', NL: 'NLD', NO: 'NOR',
  PL: 'POL', PT: 'PRT', SE: 'SWE', US: 'USA', FI: 'FIN', BE: 'BEL', AU: 'AUS', SG: 'SGP',
} // biome-ignore format: a table
const names = new Intl.DisplayNames(['en'], { type: 'region' })

const countryForms = (code: string) => [
  code,
  threeLetters[code] ?? code,
  names.of(code) ?? code,
  (names.of(code) ?? code).replaceAll(' ', '-'),
]
