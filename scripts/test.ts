// `npm test` installs the programs that the tests need if they are missing, then runs the complete check.
import { spawnSync } from 'node:child_process'
import { findTesseract } from '#features/web/reading/documents/find-tesseract.ts'
import { findChromium } from '#platform/chromium/chromium.ts'
import { findProgram } from '#platform/sandbox/sandbox.ts'
import { findPython } from '../test/clients/python.ts'
import { findPgBouncer } from '../test/support/gateways/pgbouncer.ts'
import { areOraclesInstalled } from '../test/support/oracles/installed.ts'
import { installOracles } from './install-oracles.ts'

/** What the tests need, and which tests are skipped without it. */
const programs = [
  {
    find: () => findChromium(),
    packages: ['chromium', 'chromium-headless-shell'],
    skipped: 'Chromium is not installed, so the tests that render pages are skipped.',
  },
  {
    find: () => findTesseract(),
    packages: ['tesseract-ocr'],
    skipped: 'Tesseract is not installed, so the tests that read scans are skipped.',
  },
  {
    find: () => findProgram('bwrap'),
    packages: ['bubblewrap'],
    skipped: 'bubblewrap is not installed, so the tests that confine programs are skipped.',
  },
  {
    find: () => findProgram('git'),
    packages: ['git'],
    skipped: 'Git is not installed, so the tests of repositories are skipped.',
  },
  {
    find: () => findProgram('ffmpeg'),
    packages: ['ffmpeg', 'fonts-dejavu-core', 'fonts-noto-color-emoji'],
    skipped: 'ffmpeg is not installed, so the tests that render films are skipped.',
  },
  {
    find: () => findFont(':lang=zh'),
    packages: ['fontconfig', 'fonts-droid-fallback'],
    skipped: 'No font has Chinese characters, so a test that draws them may fail.',
  },
  {
    find: () => findFont('Noto Sans Balinese'),
    packages: ['fontconfig', 'fonts-noto-core'],
    skipped: 'The Noto fonts are not installed, so fewer scripts are drawn in tests.',
  },
  {
    find: () => findProgram('espeak-ng'),
    packages: ['espeak-ng'],
    skipped: 'espeak-ng is not installed, so the tests that speak are skipped.',
  },
  {
    find: () => findProgram('tini'),
    packages: ['tini'],
    skipped:
      'tini is not installed, so the tests that run the commands of the Dockerfile are skipped.',
  },
  {
    find: () => findProgram('openssl'),
    packages: ['openssl'],
    skipped: 'openssl is not installed, so the tests of mail over TLS are skipped.',
  },
  {
    find: () => findProgram('python3'),
    packages: ['python3'],
    skipped: 'Python is not installed, so the tests with its mail client are skipped.',
  },
  ...[
    { name: 'redis-server', tests: 'of gateways that count together' },
    { name: 'prometheus', tests: 'that read the metrics' },
  ].map(({ name, tests }) => ({
    find: () => findProgram(name),
    packages: [name],
    skipped: `${name} is not installed, so the tests ${tests} are skipped.`,
  })),
  {
    find: findPgBouncer,
    packages: ['pgbouncer'],
    skipped: 'PgBouncer is not installed, so the test of a gateway behind it is skipped.',
  },
  ...['zsh', 'fish'].map((shell) => ({
    find: () => findProgram(shell),
    packages: [shell],
    skipped: `${shell} is not installed, so the test of its completion is skipped.`,
  })),
  {
    find: () => findPython(),
    packages: ['python3-httpx', 'python3-hatchling', 'python3-venv', 'mypy'],
    skipped:
      'Python lacks httpx, hatchling or mypy, so the tests of the Python client are skipped.',
  },
]

/** A font that fits a pattern of fontconfig. */
async function findFont(pattern: string): Promise<string | undefined> {
  const { stdout } = spawnSync('fc-list', [pattern, 'file'], { encoding: 'utf8' })
  return stdout?.split('\n').find((line) => line !== '')
}

function run(command: string, args: string[]): boolean {
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  return (
    spawnSync(command, args, { stdio: ['ignore', 'inherit', 'inherit'], env: environment })
      .status === 0
  )
}

const install = (packages: readonly string[]) =>
  run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages])

const found = await Promise.all(programs.map(({ find }) => find()))
const missing = programs.filter((_program, place) => found[place] === undefined)
if (missing.length > 0 && process.getuid?.() === 0 && run('apt-get', ['update', '-qq'])) {
  // All at once costs a fraction of one after the other. One that the machine does not have must not stop the others.
  if (!install(missing.flatMap(({ packages }) => packages)))
    for (const { packages } of missing) install(packages)
}
for (const { find, packages, skipped } of missing) {
  if ((await find()) === undefined)
    console.error(`${skipped} On Debian: sudo apt-get install ${packages.join(' ')}.`)
}

if (!areOraclesInstalled() && !installOracles('`npm test`')) process.exit(1)
process.argv.push('--all')
await import('./check.ts')
