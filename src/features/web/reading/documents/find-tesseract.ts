// Tesseract as the operating system installs it, with the languages that it knows.
import { execFile } from 'node:child_process'
import { access, constants } from 'node:fs/promises'
import { promisify } from 'node:util'
import { closedCommand } from '#platform/sandbox/closed-start.ts'

export interface Tesseract {
  readonly path: string
  /** Three letters, as in ISO 639-2: `eng`, `deu`. */
  readonly languages: readonly string[]
}

const places = ['/usr/bin/tesseract', '/usr/local/bin/tesseract', '/opt/homebrew/bin/tesseract']
const listTimeoutMs = 10_000

export async function findTesseract(): Promise<Tesseract | undefined> {
  for (const place of places) {
    try {
      await access(place, constants.X_OK)
      const { file, args } = closedCommand([place, '--list-langs'], {})
      const { stdout } = await promisify(execFile)(file, args, { timeout: listTimeoutMs })
      const languages = stdout
        .split('\n')
        .slice(1)
        .map((line) => line.trim())
        .filter((name) => name !== '' && name !== 'osd')
      if (languages.length > 0) return { path: place, languages }
    } catch {
      // Not there, or broken.
    }
  }
  return undefined
}
