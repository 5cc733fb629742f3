// Runs only the database of a gateway, for tests that kill it. Prints one line of JSON when it is ready.

import { errorMessageOf } from '../thrown.ts'
import { startEmbeddedPostgres } from './embedded.ts'

const [dataDir = '', systemDirectory] = process.argv.slice(2)
const quiet = () => undefined
const log = { debug: quiet, info: quiet, warn: quiet, error: quiet }

try {
  const { stop, ...server } = await startEmbeddedPostgres({ dataDir, log, systemDirectory })
  process.once('SIGTERM', stop)
  process.stdout.write(`${JSON.stringify(server)}\n`)
} catch (error) {
  process.stderr.write(`${errorMessageOf(error)}\n`)
  process.exitCode = 1
}
