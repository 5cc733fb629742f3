// Writes the files of a new action, with texts to fill in in angle brackets.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { addImport, addToList, exportNameOf } from './source-text.ts'

/**
 * Writes the action and its fixture, and lists it with its provider. Resolves to the files. Refuses an existing action.
 */
export async function writeAction(catalog: string, service: string, name: string) {
  const folder = path.join(catalog, service)
  const actionFile = path.join(folder, `${name}.ts`)
  const fixtureFile = path.join(folder, 'fixtures', `${name}.json`)
  const providerFile = path.join(folder, 'provider.ts')
  const exportName = exportNameOf(name)
  await mkdir(path.dirname(fixtureFile), { recursive: true })
  await writeFile(actionFile, actionText(name, exportName), { flag: 'wx' })
  await writeFile(fixtureFile, `${JSON.stringify(fixture, null, 2)}\n`, { flag: 'wx' })
  const provider = await readFile(providerFile, 'utf8')
  const listed = addToList(provider, 'actions: [', exportName)
  await writeFile(providerFile, addImport(listed, exportName, `./${name}.ts`))
  return [actionFile, fixtureFile, providerFile]
}

const actionText = (
  name: string,
  exportName: string,
) => `import { defineAction, z } from '#core/action.ts'

export const ${exportName} = defineAction('${name}', {
  summary: '<One sentence with a full stop: what the caller gets.>',
  notes: '<When to use it, and which other action when not.>',
  synonyms: ['<at least four words that people use>'],
  questions: ['<at least three questions that it answers>'],
  input: z.strictObject({
    query: z.string().min(1).max(400).describe('<What it means.>'),
  }),
  output: z.looseObject({
    results: z.array(z.looseObject({})),
  }),
  price: { cents: 1 },
  example: { input: { query: '<a call that works>' }, cents: 1 },
  run: ({ input, http }) => http.get('/<path>', { query: { q: input.query } }),
})
`

const fixture = {
  origin: 'docs',
  source: '<Where the reply comes from.>',
  exchanges: [
    {
      request: { method: 'GET', path: '/<path>', query: { q: '<a call that works>' } },
      reply: { status: 200, body: { results: [] } },
    },
  ],
  output: { results: [] },
}
