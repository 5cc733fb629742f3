// Pieces of the documents that are written from the catalog, as Markdown.

/** A text without meaning for Markdown or HTML: `Bearer <key>` stays visible. */
export const plain = (text: string) =>
  text.replaceAll(/[<>[\]*_`|\\]/g, '\\$&').replaceAll(/\s+/g, ' ')

export const codeBlock = (language: string, code: string) => `\`\`\`${language}\n${code}\n\`\`\``

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n')
}
