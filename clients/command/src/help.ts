// The texts of --help.
import { optionsOf, placeholder, usageLine } from './parse.ts'
import { table } from './render.ts'
import type { Option, Verb } from './verb.ts'

export interface VerbGroup {
  readonly title: string
  readonly verbs: readonly Verb[]
}

export function overview(groups: readonly VerbGroup[], version: string): string {
  const sections = groups.map(({ title, verbs }) =>
    [`${title}:`, table(verbs.map(({ name, summary }) => [`  ${name}`, summary]))].join('\n'),
  )
  return [
    `tollway ${version}`,
    '',
    'Usage: tollway VERB [options]',
    '',
    sections.join('\n\n'),
    '',
    '`tollway VERB --help` explains a verb.',
  ].join('\n')
}

export const writtenOption = (name: string, { value }: Option) =>
  value === undefined ? `--${name}` : `--${name} ${value}`

/** With the values that it takes. */
export const aboutOption = ({ about, choices }: Option) =>
  choices === undefined ? about : `${about} One of: ${choices.join(', ')}.`

/** The help is read on a terminal, so it goes without the marks of code. */
const plain = (text: string) => text.replaceAll('`', '')

export function explainVerb(verb: Verb): string {
  const operands = Object.entries(verb.operands ?? {})
  const options = Object.entries(optionsOf(verb))
  return [
    plain(verb.summary),
    ...(verb.details === undefined ? [] : ['', plain(verb.details)]),
    '',
    `Usage: ${usageLine(verb)}`,
    '',
    table([
      ...operands.map(([name, { about }]) => [`  ${placeholder(name)}`, plain(about)]),
      ...options.map(([name, option]) => [
        `  ${writtenOption(name, option)}`,
        plain(aboutOption(option)),
      ]),
    ]),
    ...(verb.examples ?? []).map(
      (example, at) => `${at === 0 ? '\n' : ''}Example: tollway ${example}`,
    ),
  ].join('\n')
}
