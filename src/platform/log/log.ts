// The log: readable lines on a terminal, JSON elsewhere.
import { pino } from 'pino'
import type { SettingValues } from '#core/settings.ts'
import type { logSettings } from '../settings.ts'

type Level = SettingValues<typeof logSettings>['LOG_LEVEL']

const levelNames: Readonly<Record<number, string>> = {
  20: 'debug',
  30: 'info',
  40: 'WARN',
  50: 'ERROR',
  60: 'FATAL',
}

/** `takeLine` takes each line too, as JSON. */
export function createLog(level: Level, isTerminal: boolean, takeLine?: (line: string) => void) {
  const write = isTerminal ? writeForPeople : writeLines()
  return pino(isTerminal ? { level, base: null } : { level }, {
    write(written) {
      const line = withoutSecrets(written)
      write(line)
      takeLine?.(line)
    },
  })
}

const writeForPeople = (line: string) => void process.stderr.write(forPeople(line))

function writeLines() {
  const destination = pino.destination({ dest: 2, sync: false })
  return (line: string) => void destination.write(line)
}

const addressEnd = String.raw`[^\s"'<>\\]*`
const credentials = /(\w:\/\/)[^\s"'<>\\/?#]*@/g
const query = new RegExp(String.raw`(\w:\/\/[^\s"'<>\\?#]*)[?#]${addressEnd}`, 'g')

/**
 * Addresses carry passwords, tokens and signatures. Messages of errors quote them too, so the whole line is searched.
 */
export function withoutSecrets(line: string): string {
  return line.replaceAll(credentials, '$1…@').replaceAll(query, '$1?…')
}

/** `12:34:56 WARN  What happened. name=value`, followed by the stack of an error. */
export function forPeople(line: string): string {
  const { time, level, msg, err, ...fields } = JSON.parse(line)
  const at = new Date(time).toTimeString().slice(0, 8)
  const said = Object.entries(fields).map(([name, value]) => ` ${name}=${JSON.stringify(value)}`)
  const trace = err === undefined ? '' : `\n${indent(err.stack ?? err.message ?? String(err))}`
  return `${at} ${(levelNames[level] ?? String(level)).padEnd(5)} ${msg ?? ''}${said.join('')}${trace}\n`
}

const indent = (text: string) => text.replace(/^/gm, '         ')
