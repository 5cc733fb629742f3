// Measures the type check with 200 more actions, beside the project without them.
import { spawnSync } from 'node:child_process'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'

const root = path.join(import.meta.dirname, '..')
const folder = path.join(root, 'bench/generated')
const actionCount = 200

const action = (number: number) => `import { defineAction, z } from '#core/action.ts'

export const action${number} = defineAction('action-${number}', {
  summary: 'Do thing number ${number}.',
  input: z.strictObject({
    query: z.string().min(1).max(400).describe('What to look for.'),
    type: z.enum(['auto', 'neural', 'keyword', 'kind-${number}']).default('auto'),
    limit: z.int().min(1).max(100).default(10),
    include_domains: z.array(z.hostname()).max(50).optional(),
    published_after: z.iso.date().optional(),
    nested: z.strictObject({ text: z.boolean(), depth: z.int().optional() }).optional(),
  }),
  output: z.looseObject({
    results: z.array(z.looseObject({ url: z.url(), title: z.string().nullable(), score: z.number().optional() })),
  }),
  price: { cents: 1, per: (input) => input.limit, unit: 'row', atMost: 100, used: (output) => output.results.length },
  example: { input: { query: 'number ${number}', limit: 3 }, cents: 3 },
  costUsd: (output) => output.results.length * 0.001,
  run: ({ input, http }) => http.post('/search', { q: input.query, n: input.limit, domains: input.include_domains }),
})
`

async function check(name: string, include: string[]): Promise<number> {
  const config = path.join(folder, `tsconfig.${name}.json`)
  await writeFile(config, JSON.stringify({ extends: '../../tsconfig.json', include }))
  const startedAt = performance.now()
  const { status, stdout } = spawnSync(path.join(root, 'node_modules/.bin/tsc'), ['-p', config], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new Error(stdout)
  return (performance.now() - startedAt) / 1_000
}

try {
  await mkdir(folder, { recursive: true })
  for (let number = 0; number < actionCount; number += 1) {
    await writeFile(path.join(folder, `action-${number}.ts`), action(number))
  }
  const without = await check('without', ['../../src'])
  const withActions = await check('with', ['../../src', '.'])
  console.log(
    `| | seconds |\n|---|---|\n| src alone | ${without.toFixed(1)} |\n| src and ${actionCount} more actions | ${withActions.toFixed(1)} |`,
  )
} finally {
  await rm(folder, { recursive: true, force: true })
}
