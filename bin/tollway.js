#!/usr/bin/env node
// Starts the gateway of the built package. In a clone, `npm start` runs the sources instead.
import { oldNode } from './node-version.js'

if (oldNode === undefined) await import('../dist/src/main.js')
else {
  process.stderr.write(`${oldNode}\n`)
  process.exit(1)
}
