// `npm run new-page account shelves` writes a page of the console and lists it in the navigation of callers, or with
// `operator` in that of the operator.
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { finishFiles } from './finish-files.ts'
import { typeNameOf } from './source-text.ts'

const [side = '', name = '', root = path.join(import.meta.dirname, '../..')] = process.argv.slice(2)
const folder = path.join(root, 'console/src', side)
const file = path.join(folder, `${name}-page.tsx`)

if (!/^(account|operator)$/.test(side) || !/^[a-z][a-z-]*$/.test(name)) {
  console.error(
    'Name the side and the page: npm run new-page account shelves, or operator shelves.',
  )
  process.exitCode = 1
} else if (existsSync(file)) {
  console.error(`${path.relative(root, file)} exists already.`)
  process.exitCode = 1
} else {
  const component = `${typeNameOf(name)}Page`
  const listFile = path.join(root, 'console/src/pages/pages.ts')
  await writeFile(file, pageText(component), { flag: 'wx' })
  await writeFile(listFile, listPage(await readFile(listFile, 'utf8'), component))
  await finishFiles([file, listFile], root)
  console.log('\nFill in what stands in angle brackets. Then: npx vitest run test/console')
}

/** After the last page of its side: those of the account come first. */
function listPage(text: string, component: string): string {
  const pathOfPage = side === 'operator' ? `/operator/${name}` : `/${name}`
  const entry = `  {
    ...${side},
    path: '${pathOfPage}',
    label: '<Name>',
    load: async () => (await import('../${side}/${name}-page.tsx')).${component},
  },
`
  const following = side === 'operator' ? /^\]\n/gm : /^ {2}\{\n {4}\.\.\.operator,/gm
  const place = [...text.matchAll(following)].at(side === 'operator' ? -1 : 0)?.index
  if (place === undefined) throw new Error('pages.ts has no list of pages to add to.')
  return text.slice(0, place) + entry + text.slice(place)
}

function pageText(component: string): string {
  return `// <What the page shows, and what people do with it.>
import { Page } from '../parts/page.tsx'

export function ${component}() {
  return <Page title="<Name>">
    <p>{'<What people see while there is nothing to show.>'}</p>
  </Page>
}
`
}
