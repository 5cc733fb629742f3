// The command `tollway` with a verb. Without one, bin/tollway.js starts the gateway without loading this.
import { runHere } from '@tollway/command'
import packageJson from '../package.json' with { type: 'json' }
import { verbGroups } from './command/verbs.ts'

const { version } = packageJson
const folder = process.cwd()
async function startGateway() {
  process.chdir(folder)
  await import('./main.ts')
}
await runHere(verbGroups({ startGateway, version }), version)
