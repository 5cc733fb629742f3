import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'

const repository = path.join(import.meta.dirname, '../..')

/** Formats written files below `root` and sorts their imports, as `npm run format` does there, and names them. */
export async function finishFiles(files: readonly string[], root = repository): Promise<void> {
  const biome = path.join(repository, 'node_modules/@biomejs/biome/bin/biome')
  await promisify(execFile)(process.execPath, [biome, 'check', '--write', ...files], { cwd: root })
  for (const file of new Set(files)) console.log(`wrote ${path.relative(root, file)}`)
}
