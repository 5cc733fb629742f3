/** The snippets that stand in the text. Unicode forms and white space may differ. */
export function findSnippets(text: string, snippets: readonly string[]): readonly string[] {
  const searched = tidy(text)
  return snippets.filter((snippet) => searched.includes(tidy(snippet)))
}

function tidy(text: string): string {
  return text.normalize('NFC').replace(/\s+/g, ' ').trim()
}
