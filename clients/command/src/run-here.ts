import { exitCodes } from './exit-codes.ts'
import type { VerbGroup } from './help.ts'
import { runProgram } from './program.ts'

/** Runs the command with the words, streams and signals of this process, and sets its exit code. */
export async function runHere(groups: readonly VerbGroup[], version: string): Promise<void> {
  const interruption = new AbortController()
  process.on('SIGINT', () => {
    // A second Ctrl-C does not wait for a verb that puts things in order.
    if (interruption.signal.aborted) process.exit(130)
    interruption.abort()
  })
  // A reader such as `head` may close its end early.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0)
    throw error
  })
  const { env: environment, stdin, stdout, stderr } = process
  const folder = process.cwd()
  // In a clone npm runs the script in the folder of the clone, and says where the words were typed.
  const { npm_lifecycle_event: script, INIT_CWD: stands } = environment
  if (script === 'tollway' && stands) process.chdir(stands)
  const typedIn = process.cwd()
  const streams = { stdin, stdout, stderr, folder, typedIn, signal: interruption.signal }
  const code = await runProgram(process.argv.slice(2), {
    groups,
    version,
    environment,
    ...streams,
  })
  process.exitCode = code
  // A gateway that is silent keeps its connection open, and would hold the process.
  if (code === exitCodes.interrupted) process.exit(code)
}
