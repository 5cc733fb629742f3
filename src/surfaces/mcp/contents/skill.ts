// The skill that tells an agent how to use this gateway: skill://tollway/SKILL.md, and a file for each service. Source:
// MCP, extension "Skills" (SEP-2640).
import { skillEntry } from '@modelcontextprotocol/server/ext/skills'
import { type Catalog, type CatalogEntry, exampleBodyOf, type Service } from '#core/catalog.ts'
import { describePrice } from '#core/pricing/describe-price.ts'

export const skillName = 'tollway'
const rootUri = `skill://${skillName}/`
const title = 'How to use this gateway'
export const skillDescription =
  'Find, price and run paid actions over MCP - web search, page reading, company and people data, court records, filings, code sandboxes and media. Use it when a task needs data or work that you cannot do yourself.'

/** The skill in `resources/list`. */
export const skillResource = {
  uri: `${rootUri}SKILL.md`,
  name: skillName,
  title,
  description: skillDescription,
}

export interface SkillFile {
  readonly uri: string
  readonly path: string
  readonly text: string
}

/** The files of the skill. Services without a credential are left out. */
export function writeSkill(catalog: Catalog, ownNamespace: string): readonly SkillFile[] {
  const offers = catalog.services.flatMap((service) => {
    const entries = catalog.entries.filter(
      (entry) => entry.service === service && entry.mode !== 'unavailable',
    )
    return entries.length === 0 ? [] : [{ service, entries }]
  })
  const file = (path: string, text: string) => ({ uri: rootUri + path, path, text })
  return [
    file('SKILL.md', writeOverview(offers, ownNamespace)),
    ...offers.map((offer) => file(`references/${offer.service.provider.id}.md`, writeOffer(offer))),
  ]
}

/** The entry of `skills/list`, with the digest of each file. */
export const describeSkill = (files: readonly SkillFile[]) =>
  skillEntry(skillName, Object.fromEntries(files.map(({ path, text }) => [path, text])))

/** What an agent does at any gateway, by the names of its tools. */
export const skillSteps = (
  ownNamespace: string,
) => `1. Call \`discover\` with what you want, in your own words. Each hit has its price and an example.
2. Call \`quote\` with your parameters. It is free, and says what the call costs.
3. Call \`run\` with \`max_cost_cents\` and an \`idempotency_key\`. If the answer is lost, repeat the same call with the same key: it is not charged again.
4. If the answer has a \`job_id\`, call \`result\` with it and \`wait_seconds\` until \`status\` is not \`running\`.
5. Close what you open: a session is charged until \`close\`.

For a task of several steps, call \`consult\` first. It answers with the calls in their order, and with a plan for \`${ownNamespace}/run-plan\`.

Failed calls are free. An error has \`next\`, the call that fixes it. Never raise \`max_cost_cents\` above what your user has agreed to.`

interface Offer {
  readonly service: Service
  readonly entries: readonly CatalogEntry[]
}

const titleOf = ({ provider }: Service) => provider.title

function writeOverview(offers: readonly Offer[], ownNamespace: string): string {
  return `---
name: ${skillName}
description: ${skillDescription}
---

# ${title}

${skillSteps(ownNamespace)}

## Services

${offers.map((offer) => `- [${titleOf(offer.service)}](references/${offer.service.provider.id}.md): ${countOf(offer)}`).join('\n')}
`
}

const countOf = ({ entries }: Offer) =>
  entries.length === 1 ? '1 action' : `${entries.length} actions`

function writeOffer({ service, entries }: Offer): string {
  return `# ${titleOf(service)}\n\n${entries.map(writeAction).join('\n')}`
}

const writeAction = ({ id, action }: CatalogEntry) => `## ${id}

${[action.summary, action.notes ?? ''].join(' ').trim()}

Price: ${describePrice(action).text}. Example of \`params\`: \`${JSON.stringify(exampleBodyOf(action))}\`
`
