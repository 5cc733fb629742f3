import { readFileSync } from 'node:fs'

/** What an action answered to its example. Recorded, or as the provider documents it. */
export interface RecordedAnswer {
  readonly origin: 'recorded' | 'docs'
  readonly output: unknown
}

/** By `service/action`. `npm run generate` writes the file from the fixtures, which are not packed. */
export const answersFile = new URL('./answers.json', import.meta.url)

export function readAnswers(): ReadonlyMap<string, RecordedAnswer> {
  return new Map(Object.entries(JSON.parse(readFileSync(answersFile, 'utf8'))))
}
