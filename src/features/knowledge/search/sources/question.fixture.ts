// A question to a source of the search, at the hour of the tests.
import { readSlots } from '../routing/slots.ts'
import type { SearchQuestion } from './source.ts'

export const now = Date.parse('2026-11-22T12:00:00Z')

export const questionOf = (text: string, more: Partial<SearchQuestion> = {}): SearchQuestion => ({
  text,
  now,
  slots: readSlots(text, now),
  domains: [],
  excludeDomains: [],
  withContent: false,
  platform: 'twitter',
  ...more,
})
