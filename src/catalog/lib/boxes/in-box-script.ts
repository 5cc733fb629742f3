// The shell script by which a box at a vendor runs a command. Vendors end commands, join their outputs and cut them in
// different ways, so the script does all this inside the box and prints one answer in ASCII.
import { fail } from '#core/errors.ts'
import type { SessionCommand, SessionResult } from '#core/session.ts'

/** In the words of a shell. */
export const temporaryFolder = '"$(dirname "$(mktemp -u)")"'

/** Of stdout and of stderr. The rest is left in the box and lost. */
const outputBytesMax = 1_000_000
/** A program that was ended by the signal KILL, in a shell's words. */
const killedExitCode = 137
/** A shell reports a program that signal 1 to 64 ended by these exit codes. */
const signalExitCodes = { min: 129, max: 192 }

/** How a program of each kind is started. It reads its text from `$1/c`, so that its length has no limit. */
const starters = {
  command: '"$(command -v bash || echo sh)" "$1/c" </dev/null',
  bash: 'bash "$1/c" </dev/null',
  python: 'python3 - <"$1/c"',
  javascript: 'node - <"$1/c"',
}

/** Lines of the script and another starter, for programs that run in an interpreter of the box. */
export interface Interpreter {
  readonly before: string
  readonly starter: string
  /** `$code` is the exit code. */
  readonly after: string
}

/** The text of a command, and how it is started. */
export function programOf(command: SessionCommand): {
  readonly text: string
  readonly kind: keyof typeof starters
} {
  return 'command' in command
    ? { text: command.command, kind: 'command' }
    : { text: command.code, kind: command.language }
}

/** Where a script expects its program, in the words of a shell. */
export const programFile = '"$tollway_run/c"'

/** For the text of a shell script. */
export const quote = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** Lines that write bytes to a file of the box. Their length counts against `scriptBytesMax`. */
export function writeLines(file: string, bytes: Buffer, mode: '>' | '>>'): string {
  return `base64 -d ${mode}${file} <<'END'\n${bytes.toString('base64')}\nEND\n`
}

/** `write`: the lines that put the program's text into `programFile`. */
export function scriptOf(
  command: SessionCommand,
  write: string,
  interpreter?: Interpreter,
): string {
  const starter = interpreter?.starter ?? starters[programOf(command).kind]
  const limit = `timeout -s KILL ${command.timeoutMs / 1_000}`
  return `exec 2>/dev/null
tollway_run=$(mktemp -d) || exit 1
trap 'rm -rf "$tollway_run"' EXIT
${write}${interpreter?.before ?? ''}${limit} sh -c ${quote(`exec ${starter}`)} run "$tollway_run" >"$tollway_run/o" 2>"$tollway_run/e"
code=$?
${interpreter?.after ?? ''}echo "exit $code"
for f in o e; do
wc -c <"$tollway_run/$f"
head -c ${outputBytesMax} "$tollway_run/$f" | base64 | tr -d '\\n'
echo
done
`
}

/** Reads what the script printed. Throws `upstream_error` when that is not whole. */
export function readAnswer(printed: string, { isLate }: { isLate: boolean }): SessionResult {
  const [first = '', outSize, out, errSize, err, ...rest] = printed.split('\n')
  const code = /^exit (\d{1,3})$/.exec(first.trim())?.[1]
  if (code === undefined || err === undefined || rest.join('') !== '') throw unreadable()
  const exitCode = Number(code)
  const timedOut = isLate && exitCode === killedExitCode
  const isSignal = exitCode >= signalExitCodes.min && exitCode <= signalExitCodes.max
  const [stdout, stderr] = [readOutput(outSize, out), readOutput(errSize, err)]
  return {
    stdout: stdout.text,
    stderr: stderr.text,
    exitCode: isSignal ? null : exitCode,
    timedOut,
    ...(stdout.truncated || stderr.truncated ? { truncated: true } : {}),
  }
}

function readOutput(size = '', encoded = '') {
  const bytes = Buffer.from(encoded, 'base64')
  const whole = Number(size.trim())
  if (!/^\s*\d+\s*$/.test(size) || bytes.length !== Math.min(whole, outputBytesMax))
    throw unreadable()
  return { text: bytes.toString('utf8'), truncated: whole > outputBytesMax }
}

export const unreadable = (cause?: unknown) =>
  fail('upstream_error', {
    message:
      'The answer of the box was cut off or could not be read. Nothing was charged; try again.',
    cause,
  })

export const didNotStart = (state: string | undefined) =>
  fail('upstream_error', {
    message: 'The provider could not start the box. Nothing was charged; try again.',
    cause: new Error(`The box is ${state}.`),
  })
