// Installs `oracles/`, whose packages have a lock file of their own.
import { spawnSync } from 'node:child_process'
import path from 'node:path'

/** Says what it does, and whether it could. `who` needs the packages. */
export function installOracles(who: string): boolean {
  console.error(
    `${who} installs the packages in oracles/ once: about 750 MB, which can take some minutes.`,
  )
  const { status } = spawnSync('npm', ['ci'], {
    cwd: path.join(import.meta.dirname, '../oracles'),
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  if (status === 0) return true
  console.error('They could not be installed. Run `npm ci` in oracles/ to see why.')
  return false
}
