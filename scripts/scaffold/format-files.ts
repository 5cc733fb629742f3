import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'

const root = path.join(import.meta.dirname, '../..')

/** Formats files and sorts their imports, as `npm run format` does. */
export async function formatFiles(files: readonly string[]): Promise<void> {
  const biome = path.join(root, 'node_modules/@biomejs/biome/bin/biome')
  await promisify(execFile)(process.execPath, [biome, 'check', '--write', ...files], { cwd: root })
}
