// Which action is meant by a name that no action has.
import { nearest } from './suggestions.ts'

const shownMax = 5

/** By its whole name, by the part after the slash alone, or written as an address, with a dot or a colon. */
export function nearestAction(name: string, names: readonly string[]): string | undefined {
  const partOf = (each: string) => each.slice(each.indexOf('/') + 1)
  const words = name.split(/[/.:\s]+/).filter((word) => word !== '')
  const written = words.slice(-2).join('/')
  const exact =
    names.find((each) => each === written) ?? names.find((each) => partOf(each) === partOf(name))
  if (exact !== undefined) return exact
  if (name.includes('/')) return nearest(name, names)
  const part = nearest(name, names.map(partOf))
  return names.find((each) => partOf(each) === part)
}

/** A sentence with the actions of the service that the name begins with. Empty where there is no such service. */
export function actionsOfService(name: string, names: readonly string[]): string {
  const [service = ''] = name.split(/[/.:\s]/)
  const own = names.filter((each) => each.startsWith(`${service}/`))
  if (service === '' || own.length === 0) return ''
  const more = own.length > shownMax ? ` and ${own.length - shownMax} more` : ''
  return ` ${service} has ${own.slice(0, shownMax).join(', ')}${more}: \`tollway actions\` lists them.`
}
