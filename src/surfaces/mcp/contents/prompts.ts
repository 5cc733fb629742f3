// Ready prompts: each names an action that works without a vendor's key, filled in and with its price.
import type { GetPromptResult, Prompt } from '@modelcontextprotocol/server'
import type { Catalog, CatalogEntry } from '#core/catalog.ts'
import { fail } from '#core/errors.ts'
import { describeIssues } from '#core/input/issues.ts'
import { membersOf } from '#core/input/members.ts'
import { microsToCents } from '#core/money.ts'
import { priceRange } from '#core/price.ts'
import { describePrice } from '#core/pricing/describe-price.ts'

interface ReadyPrompt {
  readonly name: string
  readonly title: string
  /** Without its service: an action of the gateway itself. */
  readonly action: string
  /** The parameter that the argument fills. The example of the action is its default. */
  readonly parameter: string
  readonly about: string
  /** What to do with the answer. */
  readonly afterwards: string
}

const readyPrompts: readonly ReadyPrompt[] = [
  {
    name: 'ask',
    title: 'Answer a question with evidence',
    action: 'onesearch',
    parameter: 'query',
    about: 'The question.',
    afterwards:
      'Answer the question from the evidence alone, and name the source of each statement.',
  },
  {
    name: 'read-page',
    title: 'Read a web page',
    action: 'onescrape',
    parameter: 'urls',
    about: 'The address of the page.',
    afterwards: 'Summarise the page in five sentences.',
  },
  {
    name: 'find-papers',
    title: 'Find scholarly works',
    action: 'ns_scholar/works',
    parameter: 'search',
    about: 'The topic.',
    afterwards:
      'List the five most relevant works with authors, year, DOI and one sentence on each.',
  },
  {
    name: 'follow-news',
    title: 'Follow the news on a subject',
    action: 'ns_press/news',
    parameter: 'query',
    about: 'The subject, in words.',
    afterwards: 'Group the articles by event, the newest first, with links.',
  },
  {
    name: 'find-trials',
    title: 'Find clinical studies',
    action: 'ns_trials/search',
    parameter: 'q',
    about: 'The condition or treatment.',
    afterwards: 'Make a table of the studies: title, phase, status, sponsor and number.',
  },
  {
    name: 'plan-task',
    title: 'Plan a task of several calls',
    action: 'consult',
    parameter: 'intent',
    about: 'What you want to reach.',
    afterwards: 'Show me the calls and what they cost together. Ask me before you run them.',
  },
]

export interface McpPrompts {
  readonly listed: readonly Prompt[]
  /** Throws a CallError: `not_found`, `bad_request`. */
  get(name: string, sent: Readonly<Record<string, string>>): GetPromptResult
}

/** Prompts whose action this gateway can run. */
export function createPrompts(catalog: Catalog, ownNamespace: string): McpPrompts {
  const offered = readyPrompts.flatMap((prompt) => {
    const [service, action] = prompt.action.includes('/')
      ? prompt.action.split('/')
      : [ownNamespace, prompt.action]
    const entry = catalog.find(service ?? '', action ?? '')
    return entry === undefined || entry.mode === 'unavailable' ? [] : [{ prompt, entry }]
  })
  return {
    listed: offered.map(({ prompt: { name, title, parameter, about }, entry }) => ({
      name,
      title,
      description: `${entry.action.summary} ${priceOf(entry)}`,
      arguments: [{ name: parameter, description: about, required: false }],
    })),
    get(name, sent) {
      const found = offered.find(({ prompt }) => prompt.name === name)
      if (found === undefined)
        throw fail('not_found', {
          message: `There is no prompt called ${name.slice(0, 100)}. prompts/list names all prompts.`,
        })
      return {
        description: found.prompt.title,
        messages: [{ role: 'user', content: { type: 'text', text: write(found, sent) } }],
      }
    },
  }
}

const priceOf = ({ action }: CatalogEntry) => `Price: ${describePrice(action).text}.`

function write(
  { prompt, entry }: { prompt: ReadyPrompt; entry: CatalogEntry },
  sent: Readonly<Record<string, string>>,
): string {
  const { parameter, afterwards } = prompt
  const { input, example, price } = entry.action
  const shown = membersOf(example.input)[parameter]
  const value = sent[parameter]
  const filled = value === undefined ? shown : Array.isArray(shown) ? [value] : value
  const params = { [parameter]: filled }
  const parsed = input.safeParse(params)
  if (!parsed.success)
    throw fail('bad_request', { message: describeIssues(parsed.error, [parameter]).message })
  const max_cost_cents = microsToCents(priceRange(price, parsed.data).max, 'up')
  const call = { action: entry.id, params, max_cost_cents }
  return `Use the tools of Tollway. Call \`run\` with these arguments, which cost at most ${max_cost_cents}¢:

${JSON.stringify(call, null, 2)}

${afterwards} Say at the end what was charged.`
}
