// What a verb prints. Results go to standard output; everything about them goes to standard error.
import { styleText } from 'node:util'
import { clean } from './render.ts'
import { type Selection, writeSelected } from './select.ts'

type Format = 'bold' | 'dim' | 'red' | 'green' | 'yellow'

export interface Stream {
  readonly isTTY?: boolean
  readonly columns?: number
  write(chunk: string | Uint8Array): unknown
}

export interface Output {
  /** Whether the caller asked for one JSON document. */
  readonly json: boolean
  /** Whether people see standard error as it is written, so that a line can be drawn again. */
  readonly isTerminal: boolean
  /** Characters in a line of standard output. */
  readonly columns: number
  /** Makes text stand out where a terminal shows standard output. */
  style(format: Format, text: string): string
  /** Writes to standard output. */
  write(text: string | Uint8Array): void
  /** The text with its commands as they are typed here. */
  toHint(text: string): string
  /** Writes a line to standard error, as a hint. */
  note(line: string): void
  /** Replaces the last line on a terminal, and does nothing elsewhere. An empty line removes it. */
  redraw(line: string): void
  /** Prints `value` for programs, or what `show` makes of it for people. */
  print<Value>(value: Value, show: (value: Value) => string): void
}

const columnsDefault = 80

/** `noColor` is the setting of https://no-color.org. */
export function openOutput(
  { stdout, stderr }: { readonly stdout: Stream; readonly stderr: Stream },
  {
    json,
    noColor,
    selection,
    toHint = (text) => text,
  }: {
    readonly json: boolean
    readonly noColor: boolean
    /** The part of a document that is printed. */
    readonly selection?: Selection | undefined
    readonly toHint?: (text: string) => string
  },
): Output {
  const isTerminal = stderr.isTTY === true
  const isStyled = stdout.isTTY === true && !noColor
  let drawn = false
  const erase = () => {
    if (drawn) stderr.write('\r\u001B[K')
    drawn = false
  }
  const write = (text: string | Uint8Array) => {
    erase()
    stdout.write(text)
  }
  return {
    json,
    isTerminal,
    columns: stdout.columns ?? columnsDefault,
    style: (format, text) => (isStyled ? styleText(format, text, { validateStream: false }) : text),
    write,
    toHint,
    note(line) {
      erase()
      stderr.write(`${clean(toHint(line))}\n`)
    },
    redraw(line) {
      if (!isTerminal) return
      erase()
      if (line === '') return
      stderr.write(clean(line).slice(0, (stderr.columns ?? columnsDefault) - 1))
      drawn = true
    },
    print(value, show) {
      const writeLine = (text: string) =>
        write(text === '' || text.endsWith('\n') ? text : `${text}\n`)
      const whole = () => JSON.stringify(value, null, 2)
      if (selection === undefined) return writeLine(json ? whole() : show(value))
      let selected: readonly unknown[]
      try {
        selected = selection(value)
      } catch (error) {
        // The answer may be paid for, so it is not lost.
        writeLine(whole())
        throw error
      }
      writeLine(writeSelected(selected))
    },
  }
}
