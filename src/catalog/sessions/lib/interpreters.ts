// Interpreters that keep their variables between calls, in boxes of vendors that offer none, or one for a single
// language.
import { readFileSync } from 'node:fs'
import type { SessionCommand } from '#core/session.ts'
import { type Interpreter, temporaryFolder, writeLines } from '../../lib/boxes/in-box-script.ts'

const programs = { python: 'python3', javascript: 'node' } as const
const files = { python: 'interpreter.py', javascript: 'interpreter.mjs' } as const

/** Undefined for what no interpreter runs. `typescript`: JavaScript may have types. */
export function interpreterFor(
  command: SessionCommand,
  { typescript }: { typescript: boolean },
): Interpreter | undefined {
  if ('command' in command || command.language === 'bash') return undefined
  const { language } = command
  const file = files[language]
  const text = readFileSync(new URL(`./${file}`, import.meta.url))
  const spoken = language === 'javascript' && typescript ? 'typescript' : language
  return {
    before: `tollway_place=${temporaryFolder}/.tollway-interpreters
export tollway_place
mkdir -p "$tollway_place"
if [ ! -e "$tollway_place/${file}" ]; then
${writeLines(`"$tollway_run/${file}"`, text, '>')}mv "$tollway_run/${file}" "$tollway_place/${file}"
fi
`,
    starter: `${programs[language]} "$tollway_place/${file}" "$tollway_place" "$1" ${spoken}`,
    // The program of the call was killed; the interpreter would go on with its code.
    after: `[ "$code" = 137 ] && [ -e "$tollway_run/busy" ] && kill -s KILL -- "-$(cat "$tollway_run/busy")"
`,
  }
}
