#!/usr/bin/env node
// Starts the gateway of the built package, or runs a verb of its command. In a clone, `npm start` and `npm run tollway`
// run the sources instead.
import { existsSync } from 'node:fs'
import { importCached } from './import-cached.js'
import { oldNode } from './node-version.js'

const program = process.argv.length > 2 ? 'command.js' : 'main.js'
const built = new URL(`../dist/src/${program}`, import.meta.url)
const problem =
  oldNode ??
  (existsSync(built)
    ? undefined
    : 'This is a clone, which is not built. Start its sources with `npm start`, and run a verb with `npm run tollway -- VERB`.')
if (problem === undefined) await importCached(built.href)
else {
  process.stderr.write(`${problem}\n`)
  process.exit(1)
}
