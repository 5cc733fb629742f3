#!/usr/bin/env node
// Starts the gateway of the built package, or runs a verb of its command. In a clone, `npm start` and `npm run tollway`
// run the sources instead.
import { importCached } from './import-cached.js'
import { oldNode } from './node-version.js'

const program = process.argv.length > 2 ? 'command.js' : 'main.js'
if (oldNode === undefined)
  await importCached(new URL(`../dist/src/${program}`, import.meta.url).href)
else {
  process.stderr.write(`${oldNode}\n`)
  process.exit(1)
}
