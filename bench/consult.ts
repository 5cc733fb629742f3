// Measures how often consult proposes the right first call: `npm run bench consult [FILE] [--misses]`.
// FILE has lines `mode<TAB>intent<TAB>accepted actions with commas`, or JSON lines with intent, mode, accepted_first and budget_cents.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { composeFilm } from '#features/assembler/edits/compose.ts'
import { createDiscover } from '#features/discover/discover.ts'
import { createEncoder } from '#features/discover/encoder.ts'
import { createConsult } from '#features/plans/consult/consult.ts'
import { systemClock } from '#platform/clock.ts'
import { ownNamespace } from '#test/own-actions.ts'
import { openWholeCatalog } from '../training/discover-catalog.ts'

interface Labelled {
  readonly intent: string
  readonly mode: string
  readonly accepted: readonly string[]
  readonly budgetCents?: number | undefined
}

const answerTimeoutMs = 120_000
const developmentFile = path.join(import.meta.dirname, 'consult/intents.tsv')
const file = process.argv.slice(2).find((argument) => !argument.startsWith('--'))
const showsMisses = process.argv.includes('--misses')
const { catalog, close } = openWholeCatalog()
const encoder = createEncoder({
  ...{ log: { warn: console.warn }, now: systemClock.now, answerTimeoutMs },
})
const { rank } = createDiscover({ catalog: () => catalog, ownNamespace, encoder })
const consult = createConsult({ catalog: () => catalog, rank, ownNamespace, composeFilm })

const intents = readIntents(file ?? developmentFile)
const right = { first: 0, mode: 0, budget: 0 }
for (const one of intents) {
  const constraints = one.budgetCents === undefined ? {} : { budget_cents: one.budgetCents }
  const input = consult.input.parse({ intent: one.intent, manifest: { constraints } })
  // biome-ignore lint/suspicious/noExplicitAny: the schema has accepted it.
  const answer: any = consult.output.parse(await consult.run({ input } as never))
  const [first] = answer.calls
  const isRight =
    one.mode === 'call' ? one.accepted.includes(first?.action) : answer.mode === one.mode
  right.first += Number(isRight)
  right.mode += Number(answer.mode === one.mode)
  right.budget += Number(one.budgetCents === undefined || answer.total.max_cents <= one.budgetCents)
  if (!isRight && showsMisses)
    console.log(
      `${one.mode} → ${answer.mode} ${first?.action ?? answer.question?.text ?? answer.message} | ${one.intent}`,
    )
}
const rate = (count: number) =>
  `${(count / intents.length).toFixed(3)} (${count} of ${intents.length})`
console.log(`First step right: ${rate(right.first)}`)
console.log(`Mode right: ${rate(right.mode)}`)
console.log(`Within the budget: ${rate(right.budget)}`)
await encoder.close()
await close()

function readIntents(name: string): readonly Labelled[] {
  const lines = readFileSync(name, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
  if (!name.endsWith('.jsonl'))
    return lines.map((line) => {
      const [mode = '', intent = '', accepted = ''] = line.split('\t')
      return { mode, intent, accepted: accepted.split(',').filter((id) => id !== '') }
    })
  return lines.map((line) => {
    const { mode, intent, accepted_first: accepted, budget_cents: budgetCents } = JSON.parse(line)
    return { mode, intent, accepted, budgetCents }
  })
}
