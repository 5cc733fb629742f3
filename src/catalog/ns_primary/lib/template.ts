// `{name}` stands for a parameter of the call, `{NAME_API_KEY}` for a variable of the environment.
import { path } from '#core/path.ts'

const parameter = /\{([a-z_][a-z0-9_]*)\}/g
const wholeParameter = /^\{([a-z_][a-z0-9_]*)\}$/
const variable = /\{([A-Z][A-Z0-9_]*_API_KEY)\}/g

export const variablesIn = (text: string): readonly string[] =>
  [...text.matchAll(variable)].map(([, name = '']) => name)
export const parametersIn = (text: string): readonly string[] =>
  [...text.matchAll(parameter)].map(([, name = '']) => name)

type Values = Readonly<Record<string, unknown>>

/** Inserts each value into the path as one encoded segment. */
export function fillPath(pathname: string, values: Values): string {
  return pathname
    .split('/')
    .map((part) => {
      const written = decodeURIComponent(part)
      if (parametersIn(written).length === 0) return part
      const filled = written.replaceAll(parameter, (_match, name) => String(values[name] ?? ''))
      return path`/${filled}`.slice(1)
    })
    .join('/')
}

/** Fills the placeholders. A template that is one parameter keeps the value's type, and is omitted without a value. */
export function fillIn(
  template: unknown,
  given: { readonly values: Values; readonly variables: ReadonlyMap<string, string> },
): unknown {
  if (typeof template === 'string') {
    const [, whole] = wholeParameter.exec(template) ?? []
    if (whole !== undefined) return given.values[whole]
    return template
      .replaceAll(variable, (_match, name) => given.variables.get(name) ?? '')
      .replaceAll(parameter, (_match, name) => String(given.values[name] ?? ''))
  }
  if (Array.isArray(template)) return template.map((item) => fillIn(item, given))
  if (typeof template !== 'object' || template === null) return template
  const filled = Object.entries(template).map(([name, item]) => [name, fillIn(item, given)])
  return Object.fromEntries(filled.filter(([, value]) => value !== undefined))
}

/** The value at a JSON pointer (RFC 6901). The empty pointer selects the whole document. */
export function readPointer(value: unknown, pointer: string): unknown {
  const steps = pointer.split('/').slice(1)
  return steps.reduce<unknown>((at, step) => {
    const key = step.replaceAll('~1', '/').replaceAll('~0', '~')
    return typeof at === 'object' && at !== null && Object.hasOwn(at, key)
      ? (at as Values)[key]
      : undefined
  }, value)
}

/** The text of a request in which placeholders may occur. */
export const templatesIn = (request: {
  readonly url: string
  readonly query: object
  readonly body?: unknown
}) => ({
  url: decodeURIComponent(new URL(request.url).pathname),
  query: JSON.stringify(request.query),
  body: JSON.stringify(request.body ?? null),
})
