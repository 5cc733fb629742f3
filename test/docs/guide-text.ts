import { readFileSync } from 'node:fs'
import path from 'node:path'

const guide = path.join(import.meta.dirname, '../../docs')

export const documentText = (document: string) => readFileSync(path.join(guide, document), 'utf8')

/** The code blocks of a language in a document, in order; only those under one heading, if it is given. */
export function codeBlocks(document: string, language: string, heading?: string): string[] {
  const text = documentText(document)
  const sections = text.split(/^## /m)
  const section =
    heading === undefined ? text : (sections.find((part) => part.startsWith(heading)) ?? '')
  const block = new RegExp(`^ *\`\`\`${language}\\n([\\s\\S]*?)\`\`\``, 'gm')
  return [...section.matchAll(block)].map(([, code = '']) => code)
}
