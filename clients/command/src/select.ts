// The part of an answer that is printed: `--pick data.rows[].title`, or a program of jq.
import { UsageError } from './usage-error.ts'

/** Makes of a document what is printed, a value on each line. Throws UsageError for a document that it cannot read. */
export type Selection = (document: unknown) => readonly unknown[]

/** Undefined where the whole document is asked for. Throws UsageError for a path or a program that cannot be read. */
export async function readSelection({
  pick,
  jq,
}: {
  readonly pick: string | undefined
  readonly jq: string | undefined
}): Promise<Selection | undefined> {
  if (pick !== undefined && jq !== undefined)
    throw new UsageError('Give `--pick` or `--jq`, and not both.')
  if (jq !== undefined) return await compileJq(jq)
  if (pick === undefined) return undefined
  const path = readPath(pick)
  if (path !== undefined) return (document) => valuesAt(document, path)
  throw new UsageError(
    `--pick cannot read "${pick}". Write names with dots, and rows in brackets: \`data.rows[0].title\`, \`hits[].action\`.`,
  )
}

/** The library is loaded only where it is asked for. */
async function compileJq(program: string): Promise<Selection> {
  const { compile } = await import('@michaelhomer/jqjs')
  const attempt = <Value>(work: () => Value, problem: string): Value => {
    try {
      return work()
    } catch (thrown) {
      throw new UsageError(`${problem}: ${thrown instanceof Error ? thrown.message : thrown}`)
    }
  }
  const run = attempt(() => compile(program), `--jq cannot read "${program}"`)
  return (document) =>
    attempt(() => [...run(document)], `--jq cannot apply "${program}" to this answer`)
}

/** In a path: all rows of a list or object. Other steps are a name, or a place in a list. */
const allRows = Symbol('all rows')

const stepPattern = /\.?([A-Za-z_][\w-]*)|\[(\d+)\]|\["([^"]+)"\]|(\[\])|^\.$/gy

type Step = string | number | typeof allRows

/** Undefined for a path that cannot be read. */
function readPath(path: string): readonly Step[] | undefined {
  const steps: Step[] = []
  stepPattern.lastIndex = 0
  while (stepPattern.lastIndex < path.length) {
    const match = stepPattern.exec(path)
    if (match === null) return undefined
    const [, name, place, quoted, rows] = match
    if (rows !== undefined) steps.push(allRows)
    else if (place !== undefined) steps.push(Number(place))
    else if (name !== undefined || quoted !== undefined) steps.push(name ?? quoted ?? '')
  }
  return steps
}

/** The values at a path. Undefined ones are left out. */
function valuesAt(document: unknown, path: readonly Step[]): readonly unknown[] {
  return path
    .reduce<unknown[]>(
      (found, step) =>
        found.flatMap((each) => {
          if (typeof each !== 'object' || each === null) return []
          return step === allRows ? Object.values(each) : [Reflect.get(each, step)]
        }),
      [document],
    )
    .filter((each) => each !== undefined)
}

/** One value on each line. Texts stand without quotes, so that a shell can go on with them. */
export const writeSelected = (values: readonly unknown[]) =>
  values.map((each) => (typeof each === 'string' ? each : JSON.stringify(each))).join('\n')
