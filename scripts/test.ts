// `npm test` installs the programs that the tests need if they are missing, then runs the complete check.
import { spawnSync } from 'node:child_process'
import { findChromium } from '#platform/chromium/chromium.ts'

const packages = ['chromium', 'chromium-headless-shell']

function run(command: string, args: string[]): boolean {
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return (
    spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env: environment })
      .status === 0
  )
}

if ((await findChromium()) === undefined) {
  const root = process.getuid?.() === 0
  const installed =
    root &&
    run('apt-get', ['update', '-qq']) &&
    run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages])
  if (!installed) {
    console.error(
      'Chromium is not installed, so the tests that render pages are skipped. On Debian: ' +
        `sudo apt-get install ${packages.join(' ')}. Elsewhere, set CHROMIUM_PATH.`,
    )
  }
}

process.argv.push('--all')
await import('./check.ts')
