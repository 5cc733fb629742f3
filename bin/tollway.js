#!/usr/bin/env node
// Starts the gateway of the built package. In a clone, `npm start` runs the sources instead.
import { importCached } from './import-cached.js'
import { oldNode } from './node-version.js'

if (oldNode === undefined) await importCached(new URL('../dist/src/main.js', import.meta.url).href)
else {
  process.stderr.write(`${oldNode}\n`)
  process.exit(1)
}
