// `npm run new-setting runner SHELVES_MAX` declares a setting at the end of the settings of a room.
import { existsSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { finishFiles } from './finish-files.ts'
import { addImport } from './source-text.ts'

const [room = '', name = '', root = path.join(import.meta.dirname, '../..')] = process.argv.slice(2)
const file = path.join(root, 'src', room, 'settings.ts')
const declared = existsSync(file) ? await readFile(file, 'utf8') : ''

if (!/^[a-z][a-z/-]*$/.test(room) || !/^[A-Z][A-Z0-9_]*$/.test(name) || room === 'app') {
  console.error('Name the room and the setting: npm run new-setting runner SHELVES_MAX.')
  process.exitCode = 1
} else if (declared === '') {
  console.error(
    `src/${room}/settings.ts does not exist. Write it like src/runner/settings.ts, and merge it in src/config.ts.`,
  )
  process.exitCode = 1
} else if (declared.includes(`  ${name}:`)) {
  console.error(`src/${room}/settings.ts declares ${name} already.`)
  process.exitCode = 1
} else {
  await writeFile(file, declareSetting(declared))
  await finishFiles([file], root)
  console.log(`
Fill in what stands in angle brackets, and give it its schema and default. Read it as settings.${name} where src/app opens
the room, and explain it in docs/operate. Then run:
  npm run generate && npx vitest run test/tidy/settings.test.ts`)
}

function declareSetting(text: string): string {
  const end = text.lastIndexOf('} as const')
  if (end === -1) throw new Error(`src/${room}/settings.ts has no settings to add to.`)
  const entry = `  ${name}: wholeNumber(1, 1_000)
    .default(100)
    .describe('<One sentence with a full stop: what it limits, and its unit.>'),
`
  const added = text.slice(0, end) + entry + text.slice(end)
  if (/import \{[^}]*\bwholeNumber\b/.test(text)) return added
  const names = /import \{ ([^}]*) \} from '#core\/settings\.ts'/.exec(text)
  if (names === null) return addImport(added, 'wholeNumber', '#core/settings.ts')
  return added.replace(names[0], `import { ${names[1]}, wholeNumber } from '#core/settings.ts'`)
}
