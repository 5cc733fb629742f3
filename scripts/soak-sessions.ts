// Opens, uses, breaks and closes sessions at random while their gateway is killed: `npm run soak-sessions 30` for 30
// minutes.
import { spawn } from 'node:child_process'
import path from 'node:path'

const [minutes = '5', seed] = process.argv.slice(2)
if (!(Number(minutes) > 0)) throw new Error('Usage: npm run soak-sessions [minutes] [seed]')
const root = path.join(import.meta.dirname, '..')
const vitest = spawn(
  process.execPath,
  [
    path.join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    'test/simulation/soak-sessions.nightly.test.ts',
  ],
  {
    cwd: root,
    stdio: 'inherit',
    env: {
      ...process.env,
      SOAK_MINUTES: minutes,
      ...(seed === undefined ? {} : { SOAK_SEED: seed }),
    },
  },
)
vitest.on('exit', (code) => {
  process.exitCode = code ?? 1
})
