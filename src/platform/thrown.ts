// Reads what was thrown, which may be anything. Errors of other realms, such as those of `node:vm`, count too.

/** The code of an error of Node, PostgreSQL or a library: `ENOENT`, `55P03`. */
export function errorCodeOf(thrown: unknown): string | undefined {
  const code = fieldOf(thrown, 'code')
  return typeof code === 'string' ? code : undefined
}

export function errorMessageOf(thrown: unknown): string {
  return String(fieldOf(thrown, 'message') ?? thrown)
}

export function errorNameOf(thrown: unknown): string {
  return String(fieldOf(thrown, 'name') ?? typeof thrown)
}

function fieldOf(thrown: unknown, name: 'code' | 'message' | 'name'): unknown {
  const fields: { readonly [field in typeof name]?: unknown } =
    typeof thrown === 'object' && thrown !== null ? thrown : {}
  return fields[name]
}
