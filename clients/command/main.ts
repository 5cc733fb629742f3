#!/usr/bin/env node
// The program of the package @tollway/command. The package `tollway` has these verbs too, beside those of operators.
import packageJson from './package.json' with { type: 'json' }
import { runHere } from './src/run-here.ts'
import { callerVerbs } from './src/verbs/verbs.ts'

await runHere([{ title: 'For callers', verbs: callerVerbs }], packageJson.version)
