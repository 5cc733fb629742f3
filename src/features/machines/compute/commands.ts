// How a caller's command or code is run in a box.
import { randomUUID } from 'node:crypto'
import type { OnOutput, SessionCommand, SessionResult } from '#core/session.ts'
import {
  type BoxCommand,
  BoxRefusal,
  type BoxResult,
  type StandingBox,
} from '#platform/sandbox/standing-box.ts'

type Language = 'python' | 'javascript' | 'bash'

export interface CommandTerms {
  /** Variables survive from one piece of Python or JavaScript to the next. */
  readonly keepsVariables?: boolean
  /** JavaScript may have types. */
  readonly isTypeScript?: boolean
  readonly environment?: Readonly<Record<string, string>>
}

const scripts: Readonly<Record<Language, { program: string; ending: string }>> = {
  python: { program: '/usr/bin/python3', ending: 'py' },
  javascript: { program: 'node', ending: 'js' },
  bash: { program: '/bin/bash', ending: 'sh' },
}
const nodeOptions = ['--disable-warning=ExperimentalWarning']
/** What a shell answers for a program that cannot be started. */
const notStarted = 126

export async function runCommand(
  box: StandingBox,
  command: SessionCommand,
  terms: CommandTerms,
  { signal, onOutput }: { signal: AbortSignal; onOutput: OnOutput | undefined },
): Promise<SessionResult> {
  const { keepsVariables = false, isTypeScript = false, environment = {} } = terms
  const rest = { timeoutMs: command.timeoutMs, environment, signal, onOutput }
  if ('command' in command)
    return await answer(box.run({ argv: ['/bin/bash', '-c', command.command], ...rest }))
  const { code, language } = command
  const interpreter = keepsVariables && interpreterOf(language, isTypeScript)
  if (interpreter) return await answer(box.runCode({ argv: interpreter, code, ...rest }))
  return await answer(box.run({ ...scriptOf(language, code), ...rest }))
}

function interpreterOf(language: Language, isTypeScript: boolean): string[] | undefined {
  if (language === 'python') return ['/usr/bin/python3', '/opt/box/interpreter.py']
  if (language === 'bash') return undefined
  const node = ['node', ...nodeOptions, '/opt/box/interpreter.mjs']
  return isTypeScript ? [...node, 'typescript'] : node
}

function scriptOf(language: Language, text: string): Pick<BoxCommand, 'argv' | 'script'> {
  const { program, ending } = scripts[language]
  const name = `.run-${randomUUID()}.${ending}`
  return { argv: [program, name], script: { name, text } }
}

async function answer(running: Promise<BoxResult>): Promise<SessionResult> {
  try {
    return showResult(await running)
  } catch (thrown) {
    if (!(thrown instanceof BoxRefusal)) throw thrown
    const stderr = `The box cannot start it: ${thrown.message}\n`
    return { stdout: '', stderr, exitCode: notStarted, timedOut: false }
  }
}

export function showResult({ stdout, stderr, exitCode, timedOut, isCut }: BoxResult) {
  return {
    stdout: textOf(stdout),
    stderr: textOf(stderr),
    exitCode,
    timedOut,
    ...(isCut && { truncated: true as const }),
  }
}

/** Bytes that are not UTF-8 become U+FFFD. The limit on output may have cut the last character: it is left out. */
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes, { stream: true })
