// {own_ns}/onefind: people from a question, without their contacts.
import {
  type Action,
  defineAction,
  type Hop,
  type PreparedCall,
  type RunContext,
  z,
} from '#core/action.ts'
import { splitId } from '#core/catalog.ts'
import { CallError, fail } from '#core/errors.ts'
import { centsToMicros, type Micros, microsToCents, sumOf } from '#core/money.ts'
import { peopleAnswering } from './answering.ts'
import { type FoundPerson, type MergedPerson, mergePeople } from './merge.ts'
import type { OptOut } from './opt-out.ts'
import { type PeopleQuestion, readQuestion, refuseAddresses } from './question.ts'
import type { DisclosureBook } from './rights.ts'
import { type PeopleSource, peopleSources } from './sources.ts'

/** Source: spec, "People finding". */
export const onefindCents = 2
export const peopleMax = 25
const peopleDefault = 15
const timeoutMs = 100_000

const hopSchema = z.object({
  provider: z.string(),
  action: z.string(),
  ok: z.boolean(),
  charged_cents: z.number(),
  latency_ms: z.number(),
})

const rowSchema = z.object({
  name: z.string(),
  title: z.string().nullable(),
  company: z.string().nullable(),
  location: z.string().nullable(),
  linkedin: z.string().nullable().describe('Address of the profile.'),
  email: z.null().describe('Always null: onefind-deep finds it.'),
  phone: z.null().describe('Always null: onefind-deep finds it.'),
  enriched: z.literal(false).describe('Contacts have not been looked for.'),
  person: z.literal(true).optional().describe('The query names this person.'),
  sources: z.array(z.string()).describe('The actions that found the person.'),
  hops: z.array(hopSchema).describe('The calls of these actions.'),
})

/** Of onefind and onefind-deep. */
export const purpose = z
  .string()
  .trim()
  .min(3)
  .max(200)
  .optional()
  .describe('Why you look for these people. Each of them can read it.')

const inputSchema = z.strictObject({
  query: z
    .string()
    .trim()
    .min(2)
    .max(500)
    .describe('The people: a role with a company or place, or a name with a company.'),
  limit: z.int().min(1).max(peopleMax).default(peopleDefault).describe('Rows at most.'),
  purpose,
})

type OnefindInput = z.output<typeof inputSchema>

export interface OnefindDependencies {
  readonly optOut: OptOut
  readonly disclosures: Pick<DisclosureBook, 'note'>
  readonly ownNamespace: string
}

export function createOnefind(dependencies: OnefindDependencies): Action {
  const deepAction = `${dependencies.ownNamespace}/onefind-deep`
  return defineAction('onefind', {
    summary: 'Find people by role, company, place or name, from several sources at once.',
    notes:
      'Rows have name, title, company, location and profile, and no contacts: for e-mail addresses and phone numbers send the rows on to onefind-deep. A query that names one person returns that person, marked person. People with the same name stay separate rows. Free when no one is found. To filter profiles by seniority or skills use ns_contact/people-search. An e-mail address or a profile as the query is refused: send it to onefind-deep, in rows.',
    synonyms: [
      'find people',
      'people search',
      'lead list',
      'prospect list',
      'who works at',
      'decision makers',
    ],
    questions: [
      'who are the heads of marketing at this company?',
      'find data engineers in Berlin',
      'who is Jane Doe at Acme?',
    ],
    timeoutMs,
    errors: ['not_found'],
    input: inputSchema,
    output: z.object({ people: z.array(rowSchema), count: z.int(), calls: z.array(hopSchema) }),
    check: ({ query }) => refuseAddresses(query, deepAction),
    price: { cents: onefindCents },
    spendsUpToCents: onefindCents,
    example: { input: { query: 'Jason Priem, OurResearch', limit: 3 }, cents: onefindCents },
    run: (context) => findPeople(context, dependencies),
  })
}

interface Asked {
  readonly people: readonly FoundPerson[]
  readonly hop: Hop
  readonly spent: Micros
}

async function findPeople(context: RunContext<OnefindInput>, parts: OnefindDependencies) {
  const { input, available } = context
  const question = readQuestion(input.query)
  const sources = peopleSources.filter(({ id }) => available(id, 'vendor'))
  const asked = await askSources(sources, question, context)
  if (asked.length === 0) throw nothingToAsk(sources.length)
  if (asked.every(({ hop }) => !hop.ok)) throw fail('upstream_error', { message: allFailed })
  const listed = await parts.optOut.current()
  const merged = mergePeople(asked.map(({ people }) => people)).filter(
    (person) => !listed.has(person),
  )
  const answering = peopleAnswering(merged, question)
  const rows = answering.people.slice(0, input.limit)
  if (rows.length === 0) throw fail('not_found', { message: noOneFound })
  const action = `${parts.ownNamespace}/onefind`
  await parts.disclosures.note(rows, { action, purpose: input.purpose })
  const hops = asked.map(({ hop }) => hop)
  const people = rows.map((person) => ({
    ...toRow(person, hops),
    ...(answering.areNamed ? { person: true as const } : {}),
  }))
  return { people, count: people.length, calls: hops }
}

/**
 * Asks the sources side by side, each with what those before it leave of the price. What comes back from sources that
 * failed, or that cost nothing because they found nothing, is spent on the others, as long as no one is found.
 */
async function askSources(
  sources: readonly PeopleSource[],
  question: PeopleQuestion,
  context: RunContext<OnefindInput>,
): Promise<readonly Asked[]> {
  const asked: Asked[] = []
  let left = centsToMicros(onefindCents)
  let waiting = sources
  while (waiting.length > 0 && asked.every(({ people }) => people.length === 0)) {
    const round = await chooseRound(waiting, question, left, context)
    if (round.length === 0) break
    const answers = await Promise.all(round.map((each) => askSource(each, question, context)))
    asked.push(...answers)
    left -= sumOf(answers.map(({ spent }) => spent))
    const done = new Set(round.map(({ source }) => source))
    waiting = waiting.filter((source) => !done.has(source))
  }
  return asked
}

interface SourceCall {
  readonly source: PeopleSource
  readonly prepared: PreparedCall
}

/** The calls that the rest of the price covers, even if each costs the most that it can. */
async function chooseRound(
  sources: readonly PeopleSource[],
  question: PeopleQuestion,
  left: Micros,
  { input: { limit }, prepare }: RunContext<OnefindInput>,
): Promise<readonly SourceCall[]> {
  const round: SourceCall[] = []
  let rest = left
  for (const source of sources) {
    const cents = microsToCents(rest, 'down')
    const input = cents < 1 ? undefined : source.ask(question, limit, cents)
    if (input === undefined) continue
    const prepared = await prepare(source.id, input)
    if (prepared.quote.micros > rest) continue
    round.push({ source, prepared })
    rest -= prepared.quote.micros
  }
  return round
}

async function askSource(
  { source, prepared }: SourceCall,
  question: PeopleQuestion,
  { clock }: RunContext<OnefindInput>,
): Promise<Asked> {
  const [provider, action] = splitId(source.id)
  const startedAt = clock.now()
  const hopOf = (ok: boolean, spent: Micros): Hop => ({
    provider,
    action,
    ok,
    charged_cents: microsToCents(spent, 'up'),
    latency_ms: Math.round(clock.now() - startedAt),
  })
  try {
    const { data, charged } = await prepared.run()
    const people = source.read(data, question).map((person) => ({ ...person, source: source.id }))
    return { people, hop: hopOf(true, charged), spent: charged }
  } catch (thrown) {
    if (!(thrown instanceof CallError)) throw thrown
    return { people: [], hop: hopOf(false, 0), spent: 0 }
  }
}

function toRow(person: MergedPerson, hops: readonly Hop[]) {
  const { name, title = null, company = null, location = null, linkedin = null, sources } = person
  return {
    name,
    title,
    company,
    location,
    linkedin,
    email: null,
    phone: null,
    enriched: false as const,
    sources: [...sources],
    hops: hops.filter(({ provider, action }) => sources.includes(`${provider}/${action}`)),
  }
}

const noOneFound =
  'No one was found. Name a role with a company or place, or a name with a company. Nothing was charged.'
const allFailed = 'Every source of people failed. Nothing was charged; try again.'

function nothingToAsk(count: number) {
  return count === 0
    ? fail('provider_not_configured', {
        message:
          'This gateway has no source of people. Its operator can set a key for ns_semantic or ns_contact. Nothing was charged.',
      })
    : fail('not_found', { message: noOneFound })
}
