// Marks the parts of code by colour: comments, texts, numbers, words of the language, and names.
import { escapeHtml } from '../../doors/escape-html.ts'

/** The class of each part. docs.css has its colour. */
type Kind = 'comment' | 'text' | 'number' | 'word' | 'name'
type Rule = readonly [Kind, RegExp]

const doubleQuoted = /"(?:[^"\\\n]|\\.)*"/
const singleQuoted = /'(?:[^'\\\n]|\\.)*'/
const number = /\b\d[\d_]*(?:\.\d+)?\b/
const hashComment = /(?<=^|\s)#.*/

const words = (list: string) => new RegExp(`\\b(?:${list.replaceAll(' ', '|')})\\b`)

const script: readonly Rule[] = [
  ['comment', /\/\/.*|\/\*[\s\S]*?\*\//],
  ['text', new RegExp(`${doubleQuoted.source}|${singleQuoted.source}|\`(?:[^\`\\\\]|\\\\.)*\``)],
  [
    'word',
    words(
      'import from export const let function return await async new if else for of in throw try catch true false null undefined',
    ),
  ],
  ['name', /\b[A-Za-z_]\w*(?=\s*\()/],
  ['number', number],
]

const shell: readonly Rule[] = [
  ['comment', hashComment],
  ['text', /"(?:[^"\\]|\\[\s\S])*"|'[^']*'/],
  ['name', /\$\{?\w+\}?|\b[A-Z][A-Z0-9_]+(?==)/],
  ['word', /(?<=^|[|;&]\s*)(?:\w[\w-]*)(?=\s|$)|(?<=\s)--?[A-Za-z][\w-]*/m],
]

const data: readonly Rule[] = [
  ['name', new RegExp(`${doubleQuoted.source}(?=\\s*:)`)],
  ['text', doubleQuoted],
  ['word', words('true false null')],
  ['number', number],
]

const table: readonly Rule[] = [
  ['comment', hashComment],
  ['name', /(?<=^|\n)\[.*\]|(?<=^|\n|[{,]\s*)[\w-]+(?=\s*[=:])/],
  ['text', new RegExp(`${doubleQuoted.source}|${singleQuoted.source}`)],
  ['word', words('true false')],
  ['number', number],
]

const python: readonly Rule[] = [
  ['comment', hashComment],
  ['text', new RegExp(`${doubleQuoted.source}|${singleQuoted.source}`)],
  [
    'word',
    words(
      'import from as with def return await async if else for in class try except raise True False None',
    ),
  ],
  ['name', /\b[A-Za-z_]\w*(?=\()/],
  ['number', number],
]

const languages: Readonly<Record<string, readonly Rule[]>> = {
  ts: script,
  js: script,
  typescript: script,
  javascript: script,
  sh: shell,
  bash: shell,
  json: data,
  toml: table,
  yaml: table,
  ini: table,
  python,
}

/** Code as HTML. Code of an unknown language is only escaped. */
export function highlight(code: string, language: string): string {
  const rules = languages[language]
  if (rules === undefined) return escapeHtml(code)
  const all = new RegExp(rules.map(([, { source }]) => `(${source})`).join('|'), 'gm')
  let at = 0
  let html = ''
  for (const match of code.matchAll(all)) {
    const [found, ...groups] = match
    const place = groups.findIndex((group) => group !== undefined)
    html += escapeHtml(code.slice(at, match.index))
    html += `<span class="code-${rules[place]?.[0]}">${escapeHtml(found)}</span>`
    at = match.index + found.length
  }
  return html + escapeHtml(code.slice(at))
}
