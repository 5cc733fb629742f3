// The names of files that are sent on: those of callers, and those that a server gives its answers (RFC 6266).
import { removeHidden } from '#core/input/hidden-characters.ts'

const nameCharactersMax = 200

/** Undefined where the header names none. Never a path. */
export function fileNameOf(disposition: string | undefined): string | undefined {
  if (disposition === undefined) return undefined
  const [, charset = '', encoded] =
    /;\s*filename\*\s*=\s*([\w-]+)'[^']*'([^\s;"]+)/i.exec(disposition) ?? []
  const [, quoted, bare] =
    /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i.exec(disposition) ?? []
  const name = decode(encoded, charset) ?? quoted?.replaceAll(/\\(.)/g, '$1') ?? bare
  return name === undefined ? undefined : plainFileName(name)
}

/** The last part of a path, without characters that are not seen. Undefined where nothing is left of it. */
export function plainFileName(name: string): string | undefined {
  const last = removeHidden(name.split(/[\\/]/).at(-1) ?? '').trim()
  return /^\.*$/.test(last) ? undefined : last.slice(-nameCharactersMax).toWellFormed()
}

function decode(encoded: string | undefined, charset: string): string | undefined {
  if (encoded === undefined || !/^utf-?8$/i.test(charset)) return undefined
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
