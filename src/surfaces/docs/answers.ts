import { readFileSync } from 'node:fs'

/**
 * What an action answered: a vendor's recorded reply, one that the vendor documents, or an answer of the gateway
 * itself.
 */
export interface RecordedAnswer {
  readonly origin: 'recorded' | 'docs' | 'gateway'
  /** What it answers, where this is not the example of the action. */
  readonly input?: unknown
  readonly output: unknown
}

/** By `service/action`. `npm run generate` writes the file from the fixtures, which are not packed. */
export const answersFile = new URL('./answers.json', import.meta.url)
/** Of the gateway's own actions, which have no fixtures. test/scenarios/published/own-answers.test.ts records it. */
export const ownAnswersFile = new URL('./own-answers.json', import.meta.url)

export function readAnswers(): ReadonlyMap<string, RecordedAnswer> {
  const read = (file: URL) => JSON.parse(readFileSync(file, 'utf8'))
  return new Map(Object.entries({ ...read(answersFile), ...read(ownAnswersFile) }))
}
