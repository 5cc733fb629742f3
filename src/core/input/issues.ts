// Describes the faults of an input in a text of limited length, because a body can have as many faults as bytes.
import { z } from 'zod'
import { asSentence } from './sentence.ts'

const sentencesMax = 5
const issuesListedMax = 20
const namesShownMax = 10
const nameCharactersMax = 60
const messageCharactersMax = 300

/**
 * A pattern tells a caller nothing: these are the words where a schema has none of its own. They hold for all schemas.
 */
z.config({
  customError(issue) {
    if (issue.code !== 'invalid_format' || issue.format !== 'regex') return undefined
    return issue.pattern === '/\\S/'
      ? 'must not be blank'
      : 'does not have the form that its description gives'
  },
})

export interface DescribedIssues {
  readonly message: string
  readonly issues: readonly { readonly path: string; readonly message: string }[]
}

/** `parameters`: the names of the top-level parameters, to list when the caller sent an unknown one. */
export function describeIssues(
  error: z.ZodError,
  parameters: readonly string[] = [],
): DescribedIssues {
  const issues = error.issues.flatMap(ofFittingForm)
  const sentences = issues.slice(0, sentencesMax).map((issue) => describeIssue(issue, parameters))
  if (issues.length > sentencesMax)
    sentences.push(`${issues.length - sentencesMax} more problems follow.`)
  return {
    message: sentences.join(' '),
    issues: issues.slice(0, issuesListedMax).map((issue) => ({
      path: placeOf(issue),
      message: shorten(issue.message, messageCharactersMax),
    })),
  }
}

/** A value of a union that has the type of one form only is described by what this form wants. */
function ofFittingForm(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const isOfOtherType = ({ code, path }: z.core.$ZodIssue) =>
    code === 'invalid_type' && path.length === 0
  const fitting = issue.errors.filter((faults) => !faults.some(isOfOtherType))
  const [form] = fitting
  if (form === undefined || fitting.length > 1) return [issue]
  return form.flatMap((fault) => ofFittingForm({ ...fault, path: [...issue.path, ...fault.path] }))
}

function describeIssue(issue: z.core.$ZodIssue, parameters: readonly string[]): string {
  const place = placeOf(issue)
  if (issue.code === 'unrecognized_keys') {
    const known = place === '' ? parameters : []
    return `Unknown parameter ${listNames(issue.keys)}${place && ` in ${place}`}.${known.length > 0 ? ` It takes: ${known.join(', ')}.` : ''}`
  }
  const message = shorten(issue.message.replace(/^Invalid input: /, ''), messageCharactersMax)
  if (place === '') return asSentence(message)
  const isMissing = issue.code === 'invalid_type' && message.endsWith('received undefined')
  return isMissing
    ? `"${place}" is missing. ${asWhat(issue.expected)}`
    : asSentence(`${place}: ${message}`)
}

function listNames(names: readonly string[]): string {
  const shown = names.slice(0, namesShownMax).map((name) => `"${shorten(name, nameCharactersMax)}"`)
  const rest = names.length - shown.length
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`
}

function placeOf({ path }: z.core.$ZodIssue): string {
  return shorten(
    path.map((part) => shorten(String(part), nameCharactersMax)).join('.'),
    messageCharactersMax,
  )
}

function shorten(text: string, charactersMax: number): string {
  return text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text
}

const plainNames: Readonly<Record<string, string>> = { int: 'whole number', record: 'object' }

/** `value` is a field of any type. */
function asWhat(expected: string): string {
  if (expected === 'value') return 'Send it.'
  const noun = plainNames[expected] ?? expected
  return `Send it as ${/^[aeiou]/.test(noun) ? 'an' : 'a'} ${noun}.`
}
