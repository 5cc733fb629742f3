// Runs after `npm install`, in plain JavaScript that any Node can read. In a git clone it points git at the hooks of
// the project. It leaves other hooks alone, and does nothing in CI or with HOOKS=off.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')
const git = (...args) => spawnSync('git', args, { cwd: root, encoding: 'utf8' })

const wanted = process.env.HOOKS !== 'off' && process.env.CI === undefined
if (wanted && existsSync(path.join(root, '.git'))) {
  const { stdout } = git('config', 'core.hooksPath')
  if (stdout?.trim() === '') git('config', 'core.hooksPath', '.githooks')
}
