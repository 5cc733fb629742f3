// Captures the log of a gateway in the format in which a running gateway writes it.
import { pino } from 'pino'
import type { Log } from '#core/ports.ts'

export interface LogCapture extends Log {
  /** All entries so far, one line of JSON each. */
  text(): string
  /** The messages of the entries with at least this severity. */
  messages(severity: 'warn' | 'error'): string[]
}

const severities = { warn: 40, error: 50 } as const

export function createLogCapture(): LogCapture {
  const lines: string[] = []
  const log = pino({ level: 'debug' }, { write: (line: string) => void lines.push(line) })
  return {
    debug: (fields, message) => log.debug(fields, message),
    info: (fields, message) => log.info(fields, message),
    warn: (fields, message) => log.warn(fields, message),
    error: (fields, message) => log.error(fields, message),
    text: () => lines.join(''),
    messages: (severity) =>
      lines
        .map((line) => JSON.parse(line) as { level: number; msg: string })
        .filter(({ level }) => level >= severities[severity])
        .map(({ msg }) => msg),
  }
}
