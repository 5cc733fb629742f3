// Measures whether the plans of consult carry what was asked: `npm run bench intents FILE... [--misses]`. A file has a
// JSON line for each intent, with the words, the actions of which one must come first, and the values that the calls
// must carry; a line with `steps` is a task of several calls. The judge is lib/intent-judge.ts.
import { readFileSync } from 'node:fs'
import type { UntypedJson } from '#core/replies/untyped-json.ts'
import { createDiscover } from '#features/knowledge/discover/discover.ts'
import { loadEncoder } from '#features/knowledge/discover/encoder.ts'
import { createConsult } from '#features/knowledge/plans/consult/consult.ts'
import { composeFilm } from '#features/studio/films/edits/compose.ts'
import { systemClock as clock } from '#platform/clock.ts'
import { ownNamespace } from '#test/own-actions.ts'
import { openWholeCatalog } from '../training/discover-catalog.ts'
import {
  type Advice,
  judgeIntent,
  judgeTask,
  type LabelledIntent,
  type LabelledTask,
} from './lib/intent-judge.ts'

/** Fields for a name, a company or a keyword. */
const nameField =
  /^(?:company|name|title|organization|keyword|keywords|party|labeler|tech|make|model)\b/
const sentenceWordsMin = 7

const showsMisses = process.argv.includes('--misses')
const files = process.argv.slice(2).filter((argument) => !argument.startsWith('--'))
if (files.length === 0) throw new Error('Name a file of intents.')
const { catalog, close } = openWholeCatalog()
const { rank } = createDiscover({ catalog: () => catalog, ownNamespace, loadEncoder })
const consult = createConsult({ catalog: () => catalog, rank, ownNamespace, clock, composeFilm })
const today = new Date()

for (const file of files) await report(file)
await close()

async function report(file: string) {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line): LabelledIntent | LabelledTask =>
      JSON.parse(line.replaceAll('"tollway/', `"${ownNamespace}/`)),
    )
  const intents = lines.filter((line) => !('steps' in line))
  const tasks = lines.filter((line) => 'steps' in line)
  console.log(`${file}:`)
  if (intents.length > 0) await reportIntents(intents)
  if (tasks.length > 0) await reportTasks(tasks)
}

async function reportIntents(intents: readonly LabelledIntent[]) {
  const counts = { action: 0, values: 0, both: 0, whole: 0, lists: 0, budget: 0, sentences: 0 }
  for (const asked of intents) {
    const advice = await ask(asked)
    const { isActionRight, missing, lists, isWithinBudget } = judgeIntent(asked, advice, today)
    const isWhole = missing.length === 0
    const sentence = sentenceInName(asked.q, advice)
    counts.action += Number(isActionRight)
    counts.values += Number(isWhole)
    counts.both += Number(isActionRight && isWhole)
    counts.whole += lists.whole
    counts.lists += lists.all
    counts.budget += Number(!isWithinBudget)
    counts.sentences += Number(sentence !== undefined)
    if (showsMisses && !(isActionRight && isWhole && isWithinBudget && sentence === undefined))
      tell(asked.q, advice, isActionRight ? '' : 'ACTION', missing, sentence)
  }
  const share = (count: number) =>
    `${(count / intents.length).toFixed(3)} (${count} of ${intents.length})`
  console.log(`First action right: ${share(counts.action)}`)
  console.log(`All values carried: ${share(counts.values)}`)
  console.log(`Right action with all values: ${share(counts.both)}`)
  console.log(`Lists whole: ${counts.whole} of ${counts.lists}`)
  console.log(`Over the budget: ${counts.budget}`)
  console.log(`A sentence in a field for a name: ${counts.sentences}`)
}

async function reportTasks(tasks: readonly LabelledTask[]) {
  const counts = { complete: 0, both: 0 }
  for (const task of tasks) {
    const advice = await ask(task)
    const { isComplete, missing } = judgeTask(task, advice, today)
    counts.complete += Number(isComplete)
    counts.both += Number(isComplete && missing.length === 0)
    if (showsMisses && !(isComplete && missing.length === 0))
      tell(task.q, advice, isComplete ? '' : 'STEPS', missing, undefined)
  }
  const share = (count: number) =>
    `${(count / tasks.length).toFixed(3)} (${count} of ${tasks.length})`
  console.log(`Tasks complete: ${share(counts.complete)}`)
  console.log(`Complete with all values: ${share(counts.both)}`)
}

async function ask({ q, ...asked }: LabelledIntent | LabelledTask): Promise<Advice> {
  const budget = 'budget' in asked ? asked.budget : undefined
  const constraints = budget === undefined ? {} : { budget_cents: budget }
  const input = consult.input.parse({ intent: q, manifest: { constraints } })
  const answer: UntypedJson = consult.output.parse(await consult.run({ input } as never))
  return {
    mode: answer.mode,
    calls: answer.calls,
    maxCents: answer.total.max_cents,
    assumptions: [...answer.assumptions, answer.message],
  }
}

function sentenceInName(intent: string, { calls }: Advice): string | undefined {
  for (const { action, params } of calls)
    for (const [name, value] of Object.entries(params)) {
      const text = String(value)
      const isLong = text.split(/\s+/).length >= sentenceWordsMin
      if (nameField.test(name) && isLong && intent.includes(text)) return `${action}.${name}`
    }
  return undefined
}

function tell(
  intent: string,
  { mode, calls, assumptions }: Advice,
  problem: string,
  missing: readonly unknown[],
  sentence: string | undefined,
) {
  console.log(`\n- ${intent}`)
  console.log(`  ${problem} ${mode} missing ${JSON.stringify(missing)} ${sentence ?? ''}`)
  for (const { action, params } of calls) console.log(`  ${action} ${JSON.stringify(params)}`)
  for (const assumption of assumptions) console.log(`  # ${assumption}`)
}
