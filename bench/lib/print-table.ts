/** Prints a table in Markdown. */
export function printTable(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): void {
  const lines = [head, head.map(() => '---'), ...rows]
  console.log(lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n'))
}
