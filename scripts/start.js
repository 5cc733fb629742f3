// Plain JavaScript that any Node can read, so that it can say what is missing. Every npm script goes through it:
// `start.js scripts/check.ts --all` runs that script, and nothing starts the gateway.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { importCached } from '../bin/import-cached.js'
import { oldNode } from '../bin/node-version.js'

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..')

if (!existsSync(path.join(root, 'node_modules', 'fastify'))) {
  stop('The dependencies are not installed. Run `npm ci` first.')
}
if (oldNode !== undefined) {
  stop(
    `${oldNode} \`npm ci\` brings Node 24 into the project, ` +
      'unless development dependencies or install scripts are switched off; then install Node 24 yourself.',
  )
}

const gateway = 'src/main.ts'
const [script = gateway] = process.argv.splice(2, 1)
if (script === gateway) await refreshConsole()
await importCached(pathToFileURL(path.resolve(root, script)).href)

/** Builds the console if its sources have changed. A gateway without a console still sells. */
async function refreshConsole() {
  try {
    await (await import('../console/build.ts')).refreshConsole()
  } catch (error) {
    process.stderr.write(
      `The console could not be built, so /console is missing: ${error.message}\n`,
    )
  }
}

function stop(sentence) {
  process.stderr.write(`${sentence}\n`)
  process.exit(1)
}
