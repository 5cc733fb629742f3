import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { onTestFinished } from 'vitest'
import type { AtEnd } from '#test/database.ts'

/** A plugin `notes` in a folder of its own, with these members and the text of its first migration. */
export async function writePlugin(
  members: string,
  migration = '',
  atEnd: AtEnd = onTestFinished,
): Promise<string> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollway-plugin-'))
  atEnd(() => rm(folder, { recursive: true }))
  const migrations = path.join(folder, 'schema/migrations')
  await mkdir(migrations, { recursive: true })
  await writeFile(path.join(migrations, '0001_first.sql'), migration)
  await writeFile(path.join(folder, 'package.json'), '{ "type": "module", "main": "plugin.js" }')
  const schema = JSON.stringify(path.join(folder, 'schema'))
  const plugin = `{ id: 'notes', schema: ${schema}, ${members} }`
  const text = `import * as tollway from 'tollway'\nexport const plugin = ${plugin}`
  await writeFile(path.join(folder, 'plugin.js'), text)
  return folder
}
