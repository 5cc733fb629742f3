// What the gateway's own program builds its command from.

export { exitCodeOf, exitCodes, meanings } from './exit-codes.ts'
export { aboutOption, type VerbGroup, writtenOption } from './help.ts'
export { runStdio } from './mcp-relay.ts'
export { openOutput } from './output.ts'
export { commandName, startCommand } from './own-words.ts'
export { placeholder, usageLine } from './parse.ts'
export { runProgram } from './program.ts'
export { clean as cleanText, table } from './render.ts'
export { runHere } from './run-here.ts'
export { UsageError } from './usage-error.ts'
export { defineVerb, globalOptions, type Surroundings, type Verb } from './verb.ts'
export { callerVerbs } from './verbs/verbs.ts'
