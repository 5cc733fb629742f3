// Renders the templates of a chart, with the part of Helm's language that ours use. Anything else is an error, so that
// a template cannot mean one thing here and another to Helm.
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { stringify } from 'yaml'

type Scope = Readonly<Record<string, unknown>>

/** The text of each template. */
export function renderChart(folder: string, scope: Scope): string[] {
  return readdirSync(folder)
    .map((file) => render(readFileSync(path.join(folder, file), 'utf8'), scope))
    .filter((text) => text.trim() !== '')
}

function render(template: string, scope: Scope): string {
  const trimmed = template.replaceAll(/\s*\{\{-/g, '{{').replaceAll(/-\}\}\s*/g, '}}')
  const shown: boolean[] = []
  const isShown = () => shown.every(Boolean)
  const text = trimmed.replaceAll(/\{\{ *(.*?) *\}\}|[^{]+|\{/g, (piece, expression?: string) => {
    if (expression === undefined) return isShown() ? piece : ''
    if (expression === 'end') {
      if (shown.pop() === undefined) throw new Error('An end without an if.')
      return ''
    }
    const [, condition] = /^if (.+)$/.exec(expression) ?? []
    if (condition !== undefined) {
      shown.push(isTrue(evaluate(condition, scope)))
      return ''
    }
    return isShown() ? String(evaluate(expression, scope)) : ''
  })
  if (shown.length > 0) throw new Error('An if without its end.')
  return text
}

/** Helm takes an empty text, list or map for false. */
const isTrue = (value: unknown) =>
  typeof value === 'object' && value !== null ? Object.keys(value).length > 0 : Boolean(value)

function evaluate(expression: string, scope: Scope): unknown {
  const [first = '', ...filters] = expression.split('|').map((part) => part.trim())
  const [, yamlOf] = /^toYaml (\S+)$/.exec(first) ?? []
  const start = yamlOf === undefined ? look(first, scope) : stringify(look(yamlOf, scope)).trimEnd()
  return filters.reduce((value, filter) => {
    const [name, argument = ''] = filter.split(' ')
    if (name === 'default') return isTrue(value) ? value : look(argument, scope)
    if (name === 'nindent')
      return `\n${value}`.replaceAll('\n', `\n${' '.repeat(Number(argument))}`)
    throw new Error(`${filter} is not a filter that is known here.`)
  }, start)
}

function look(reference: string, scope: Scope): unknown {
  if (!/^(\.\w+)+$/.test(reference)) throw new Error(`${reference} is not a value.`)
  const value = reference
    .slice(1)
    .split('.')
    .reduce<unknown>((found, name) => (found as Scope | undefined)?.[name], scope)
  if (value === undefined) throw new Error(`${reference} has no value.`)
  return value
}
