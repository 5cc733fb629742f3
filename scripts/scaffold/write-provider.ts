// Writes a new provider without actions, with texts to fill in in angle brackets.
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { addImport, addToSortedList, exportNameOf } from './source-text.ts'

/** Writes the provider's file and lists it in providers.ts. Resolves to the files. Refuses an existing provider. */
export async function writeProvider(catalog: string, service: string) {
  const providerFile = path.join(catalog, service, 'provider.ts')
  const listFile = path.join(catalog, 'providers.ts')
  const list = await readFile(listFile, 'utf8')
  const exportName = freeName(list, exportNameOf(service.replace(/^ns_/, '')))
  await mkdir(path.dirname(providerFile), { recursive: true })
  await writeFile(providerFile, providerText(service, exportName), { flag: 'wx' })
  const listed = addToSortedList(list, 'const listed = [', exportName)
  await writeFile(listFile, addImport(listed, exportName, `./${service}/provider.ts`))
  return [providerFile, listFile]
}

/** Another provider may already export the name. */
const freeName = (list: string, name: string) =>
  new RegExp(`\\b${name}\\b`).test(list) ? `${name}Provider` : name

const providerText = (
  service: string,
  exportName: string,
) => `import { defineProvider } from '#core/provider.ts'

export const ${exportName} = defineProvider({
  id: '${service}',
  title: '<What it is, in a few words>',
  docs: 'https://<the reference>',
  upstream: {
    baseUrl: 'https://<host>',
    credential: { attach: (key) => ({ headers: { authorization: \`Bearer \${key}\` } }) },
  },
  actions: [],
})
`
