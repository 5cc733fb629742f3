// Answers as people read them: names before values, indented; rows under each other.

const indent = '  '

/** A value of JSON as indented text. Long texts keep their lines. */
export function render(value: unknown, depth = 0): string {
  const margin = indent.repeat(depth)
  if (Array.isArray(value)) {
    return value.map((item) => `${margin}- ${render(item, depth + 1).trimStart()}`).join('\n')
  }
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .filter(([, inner]) => inner !== undefined)
      .map(([name, inner]) => `${margin}${name}:${renderInner(inner, depth)}`)
      .join('\n')
  }
  return margin + renderScalar(value)
}

function renderInner(value: unknown, depth: number): string {
  if (typeof value === 'string' && value.includes('\n')) {
    const margin = indent.repeat(depth + 1)
    return `\n${value
      .trimEnd()
      .split('\n')
      .map((line) => margin + clean(line))
      .join('\n')}`
  }
  if (typeof value !== 'object' || value === null) return ` ${renderScalar(value)}`
  if (Object.keys(value).length === 0) return Array.isArray(value) ? ' none' : ' {}'
  return `\n${render(value, depth + 1)}`
}

const renderScalar = (value: unknown) =>
  typeof value === 'string' ? clean(value) : value === null ? '–' : String(value)

/** Pages and providers must not send commands to the terminal. */
export const clean = (text: string) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this removes.
  text.replaceAll(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/g, '')

/** A table under the names of its columns, or a sentence where it has no rows. */
export const listing = (
  head: readonly string[],
  rows: readonly (readonly string[])[],
  none: string,
) => (rows.length === 0 ? none : table([head, ...rows]))

/** Columns as wide as their longest cell, without a rule around them. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows.reduce<number[]>(
    (widest, row) => row.map((cell, at) => Math.max(widest[at] ?? 0, cell.length)),
    [],
  )
  return rows
    .map((row) =>
      row
        .map((cell, at) => (at === row.length - 1 ? cell : cell.padEnd(widths[at] ?? 0)))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
