// The name that a server gives the file of its answer (RFC 6266).

const nameCharactersMax = 200

/** Undefined where the header names none. Never a path. */
export function fileNameOf(disposition: string | undefined): string | undefined {
  if (disposition === undefined) return undefined
  const [, charset = '', encoded] =
    /;\s*filename\*\s*=\s*([\w-]+)'[^']*'([^\s;"]+)/i.exec(disposition) ?? []
  const [, quoted, bare] =
    /;\s*filename\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;"]+))/i.exec(disposition) ?? []
  const name = decode(encoded, charset) ?? quoted?.replaceAll(/\\(.)/g, '$1') ?? bare
  const last = name
    ?.split(/[\\/]/)
    .at(-1)
    ?.replaceAll(/\p{Cc}/gu, '')
    .trim()
  return last === undefined || /^\.*$/.test(last)
    ? undefined
    : last.slice(-nameCharactersMax).toWellFormed()
}

function decode(encoded: string | undefined, charset: string): string | undefined {
  if (encoded === undefined || !/^utf-?8$/i.test(charset)) return undefined
  try {
    return decodeURIComponent(encoded)
  } catch {
    return undefined
  }
}
