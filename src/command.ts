// The command `tollway` with a verb. Without one, bin/tollway.js starts the gateway without loading this.
import { runHere } from '@tollway/command'
import packageJson from '../package.json' with { type: 'json' }
import { verbGroups } from './command/verbs.ts'

const { version } = packageJson
await runHere(verbGroups({ startGateway: () => import('./main.ts'), version }), version)
