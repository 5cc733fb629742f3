import { spawn } from 'node:child_process'
import type { Surroundings } from './verb.ts'

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
}

/** A machine without a browser shows nothing: the person has the address. */
export function openPage(page: string, environment: Surroundings['environment']): void {
  const [program = '', ...words] = openers[process.platform] ?? ['xdg-open']
  const options = { env: environment, stdio: 'ignore', detached: true } as const
  const child = spawn(program, [...words, page], options)
  child.on('error', () => undefined)
  child.unref()
}
